/** `skill-composer compose`. */

import type { ComposeResult } from '../../../composer/composition.ts';
import type { Project } from '../../../io/project.ts';
import { placed, printedJson } from '../../../reports/json.ts';
import { errorsToPretty } from '../../../reports/pretty.ts';
import { type Composing, createComposing } from '../../../services/composing/composing.ts';
import { startNodeWorker } from '../../../services/composing/node-worker.ts';
import type { Console } from '../console.ts';
import { fileFinder, type InvocationOptions, lacksParameters, openInvocation, parametersAdvice } from './invocation.ts';

export interface ComposeOptions extends InvocationOptions {
  readonly format: 'prompt' | 'json';
}

/** Prints a prompt or a composition. Returns the exit status 0 or 1. Throws a `UserError` for status 2. */
export async function runCompose(options: ComposeOptions, console: Console): Promise<number> {
  const composing = createComposing(startNodeWorker());
  try {
    // Starts the worker while the files are read.
    composing.warm();
    return await composeIn(composing, options, console);
  } finally {
    composing.dispose();
  }
}

async function composeIn(composing: Composing, options: ComposeOptions, console: Console): Promise<number> {
  const { format, quiet } = options;
  const { project, skillPackage, sample, request } = await openInvocation(options, console);
  const composed = await composing.compose('', request);
  if (composed === 'superseded') return 1;
  const { result } = composed;
  if (format === 'json') console.print(toJson(project, result));
  else if (result.ok) console.printExact(result.composition.prompt);
  else console.printError(errorsToPretty(result.errors, fileFinder(project), console));
  const canGenerate = !request.makesUp && !result.ok && lacksParameters(result.errors);
  if (canGenerate && !quiet && sample === undefined) console.note(parametersAdvice(skillPackage));
  return result.ok ? 0 : 1;
}

const toJson = ({ workspace, fileOf }: Project, result: ComposeResult): string =>
  printedJson(placed(workspace.analysis, fileOf, result));
