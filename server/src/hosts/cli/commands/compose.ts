/** `skill-composer compose`. */

import { invocationContextOf } from '../../../analysis/package-of.ts';
import { whyNotOffered } from '../../../analysis/replaced-by.ts';
import type { ComposeError, ComposeResult, SkillPackage } from '../../../composer/composition.ts';
import { prepareRequest } from '../../../composer/prepare.ts';
import { inWords } from '../../../nearest.ts';
import { checkedPackageOf } from '../../../rules/checked-package.ts';
import { UNREADABLE } from '../../../workspace/unreadable.ts';
import { chooseSample } from '../../composing/compose-samples.ts';
import { type Composing, createComposing } from '../../composing/composing.ts';
import { startNodeWorker } from '../../node/node-worker.ts';
import { assertCatalogsParse, openProject, type Project } from '../../node/project.ts';
import { byFile, type CheckedFile } from '../../reports/check-report.ts';
import { placed, printedJson } from '../../reports/json.ts';
import { toPretty } from '../../reports/pretty.ts';
import { UserError } from '../../user-error.ts';
import type { Console } from '../console.ts';
import { assertProfile, type InvocationWords, readInvocationWords, useSurface } from './invocation.ts';

export interface ComposeOptions {
  readonly cwd: string;
  readonly file: string;
  readonly config: string | undefined;
  readonly format: 'prompt' | 'json';
  readonly quiet: boolean;
  readonly invocation: InvocationWords;
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
  const { cwd, file, config, format, quiet, invocation } = options;
  const { progress } = console;
  const given = await readInvocationWords(invocation, cwd);
  const project = await openProject({ cwd, paths: [file], config, progress }).finally(() => progress.end());
  assertCatalogsParse(project);
  useSurface(project, invocation.surface);
  const { analysis } = project.workspace;
  const uri = onlySkill(project, file);
  const reason = analysis.unreadable(uri);
  if (reason) throw new UserError(`\`${file}\` cannot be read: ${UNREADABLE[reason].reason}.`);
  if (analysis.file(uri)?.dialect === 'package') {
    throw new UserError(
      `\`${file}\` is a package of the earlier format. Convert it to a skill first with \`skill-composer convert\`.`,
    );
  }
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillPackage)
    throw new UserError(`\`${file}\` is not a skill: its frontmatter must have \`name\` and \`description\`.`);
  const invocationContext = invocationContextOf(analysis, uri);
  assertProfile(invocationContext, given.profile);
  const sample = chooseSample(skillPackage, invocation.sample, invocation.params !== undefined);
  const { request, gates } = prepareRequest(skillPackage, invocationContext, sample, given);
  const skill = analysis.graph.skills.get(uri);
  const reasons = [(skill && whyNotOffered(analysis.graph, skill)) ?? [], gates.map((gate) => gate.reason)].flat();
  for (const reason of quiet ? [] : reasons) {
    console.note(`The planner would not dispatch this skill, because ${reason}.`);
  }
  const composed = await composing.compose('', request).catch((error: Error) => {
    throw new UserError(error.message);
  });
  if (composed === 'superseded') return 1;
  const { result } = composed;
  if (format === 'json') console.print(toJson(project, result));
  else if (result.ok) console.printExact(result.composition.prompt);
  else console.printError(toFrames(project, result.errors, console));
  const canGenerate = given.madeUp !== true && !result.ok && lacksParameters(result.errors);
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

function onlySkill({ named, workspace }: Project, file: string): string {
  const [first, ...rest] = [...named].filter((uri) => workspace.index.files.get(uri)?.dialect !== 'catalog');
  if (first === undefined) throw new UserError(`\`${file}\` is a catalog. Name a skill file.`);
  if (rest.length > 0) throw new UserError(`\`${file}\` contains ${rest.length + 1} skills. Name one skill file.`);
  return first;
}

const toJson = ({ workspace, fileOf }: Project, result: ComposeResult): string =>
  printedJson(placed(workspace.analysis, fileOf, result));

/** Prints the errors like the findings of `check`, each with its line. */
function toFrames({ workspace, fileOf }: Project, errors: readonly ComposeError[], { colors }: Console): string {
  const files = [...new Set(errors.map(({ uri }) => uri))].flatMap((uri): CheckedFile[] => {
    const text = workspace.index.files.get(uri)?.text;
    if (text === undefined) return [];
    const findings = errors
      .filter((error) => error.uri === uri)
      .map(({ kind, span, message, suggestion }) => {
        const advice = suggestion.includes(' ') ? ` ${suggestion}` : '';
        return {
          rule: kind,
          code: kind,
          severity: 'error' as const,
          message: message + advice,
          span,
          related: [],
          fixes: [],
        };
      });
    return [{ file: fileOf(uri), text, findings }];
  });
  return toPretty({ files: files.sort(byFile), findFile: () => undefined }, { colors, quiet: true, fixed: undefined });
}
