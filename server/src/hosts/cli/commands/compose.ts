/** `skill-composer compose`. */

import type { ComposeError, ComposeResult, SkillPackage } from '../../../composer/composition.ts';
import { inWords } from '../../../nearest.ts';
import { type Composing, createComposing } from '../../composing/composing.ts';
import { startNodeWorker } from '../../node/node-worker.ts';
import type { Project } from '../../node/project.ts';
import { placed, printedJson } from '../../reports/json.ts';
import { errorsToPretty } from '../../reports/pretty.ts';
import { UserError } from '../../user-error.ts';
import type { Console } from '../console.ts';
import { fileFinder, type InvocationOptions, openInvocation } from './invocation.ts';

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
  const composed = await composing.compose('', request).catch((error: Error) => {
    throw new UserError(error.message);
  });
  if (composed === 'superseded') return 1;
  const { result } = composed;
  if (format === 'json') console.print(toJson(project, result));
  else if (result.ok) console.printExact(result.composition.prompt);
  else console.printError(errorsToPretty(result.errors, fileFinder(project), console.colors));
  const canGenerate = !request.makesUp && !result.ok && lacksParameters(result.errors);
  if (canGenerate && !quiet) noteSamples(skillPackage, sample, console);
  return result.ok ? 0 : 1;
}

const lacksParameters = (errors: readonly ComposeError[]): boolean =>
  errors.some(({ kind }) => kind === 'ParameterMismatch');

/** Suggests options to a user who gave no parameters. */
function noteSamples({ samples }: SkillPackage, sample: string | undefined, console: Console): void {
  if (sample !== undefined) return;
  const names = [...new Set(samples.map(({ name }) => name))];
  console.note(
    names.length === 0
      ? 'Use `--made-up` to generate the missing parameters.'
      : `Use \`--sample\` to select one of the skill's samples: ${inWords(names, 'and')}.`,
  );
}

const toJson = ({ workspace, fileOf }: Project, result: ComposeResult): string =>
  printedJson(placed(workspace.analysis, fileOf, result));
