/** `skill-composer test --export`: samples and routing cases for other tools (docs/testing.md, "Other tools"). */
import { join, relative, resolve, sep } from 'node:path';
import type { SkillChoice } from '../../../analysis/routing.ts';
import { toPath } from '../../../io/paths.ts';
import { findText, writeResult } from '../../../io/read-named.ts';
import { UserError } from '../../../io/user-error.ts';
import { listed } from '../../../nearest.ts';
import type { SkillTests } from '../../../services/testing/test-skill.ts';
import { type ExportedCase, type RoutedSkill, toEvals, toPromptfoo } from '../../../testing/export.ts';
import { toWaza } from '../../../testing/export-waza.ts';
import type { TestResult } from '../../../testing/result.ts';
import { slugOf } from '../../../testing/saved-files.ts';
import { escapeInvisibleInJson } from '../../../text.ts';
import { dialectOf, skillsFolderOf } from '../../../vocabulary/dialect.ts';
import type { Console } from '../console.ts';

export type ExportTool = 'promptfoo' | 'evals' | 'waza';

export interface ExportWords {
  readonly to: ExportTool;
  readonly cwd: string;
  readonly out: string | undefined;
}

/** The tests of a skill, and the list that a model chooses the skill from; undefined if no model may choose it. */
export interface TestsToExport extends SkillTests {
  readonly uri: string;
  readonly skill: string;
  readonly choice: SkillChoice | undefined;
}

/** Exports samples and routing cases. Returns 1 if a test cannot be read or a sample does not compose, else 0. */
export async function exportTests(
  { to, cwd, out }: ExportWords,
  tests: readonly TestsToExport[],
  { note, print }: Console,
): Promise<number> {
  const cases = tests.flatMap(({ prompts }) => prompts.flatMap((one) => one.exported?.() ?? []));
  const routed = to === 'evals' ? [] : routedSkills(tests, note);
  if (cases.length + routed.length === 0) {
    const what = to === 'evals' ? 'sample' : 'sample or routing case';
    throw new UserError(`No ${what} to export: no sample composes, or nothing matches \`--filter\`.`);
  }
  const path = out === undefined ? undefined : resolve(cwd, out);
  if (to === 'waza' && path === undefined) {
    throw new UserError('`--export waza` writes several files. Name a folder with `--out`.');
  }
  const { files, lost } = await exportedFiles(to, tests, cases, routed, { path, option: `--out ${out}` });
  for (const sentence of lost) note(`Not exported: ${sentence}`);
  const ofPrompt = cases.filter((one) => one.ofPrompt.length > 0);
  if (ofPrompt.length > 0) {
    const keys = [...new Set(ofPrompt.flatMap((one) => one.ofPrompt))];
    note(
      `Not exported: the expectations under ${listed(keys, 'and')} in ${ofPrompt.length} of ${cases.length} samples. They apply to the prompt or to a run, and \`test\` checks them.`,
    );
  }
  const evals = tests.flatMap((one) => one.evals.flatMap(({ results }) => results));
  const results = [...tests.flatMap((one) => one.results), ...evals.filter(({ isNotRun }) => isNotRun)];
  const without = results.filter(
    ({ kind, status, isNotRun }) => isNotRun || (kind === 'composes' && status === 'failed'),
  );
  for (const { name, message = '', isNotRun } of without) {
    note(`Not exported: \`${name}\`, which ${isNotRun ? 'is invalid' : 'does not compose'}. ${message}`);
  }
  const count = (kind: TestResult['kind']): number =>
    results.filter((one) => one.kind === kind && !one.isNotRun).length;
  const others = [
    ...(to === 'evals' ? [[count('routing'), 'results of routing cases, which have no output'] as const] : []),
    [count('example'), 'results of examples, which already have an output'] as const,
  ];
  for (const [amount, what] of others) if (amount > 0) note(`Not exported: ${amount} ${what}.`);
  for (const file of files) {
    if (file.path === undefined) print(escapeInvisibleInJson(file.text));
    else await writeResult(file.path, file.text, `--out ${out}`);
  }
  return without.length > 0 ? 1 : 0;
}

interface ExportedFiles {
  /** The path is undefined for standard output. */
  readonly files: readonly { readonly path: string | undefined; readonly text: string }[];
  readonly lost: readonly string[];
}

async function exportedFiles(
  to: ExportTool,
  tests: readonly TestsToExport[],
  cases: readonly ExportedCase[],
  routed: readonly RoutedSkill[],
  { path, option }: { readonly path: string | undefined; readonly option: string },
): Promise<ExportedFiles> {
  if (to === 'waza' && path !== undefined) return wazaFiles(tests, path);
  const { text, lost } = to === 'promptfoo' ? toPromptfoo(cases, routed) : await evalsOf(cases, path, option);
  return { files: [{ path, text }], lost };
}

/** Returns the suites of all skills, each in its own folder. */
function wazaFiles(tests: readonly TestsToExport[], out: string): ExportedFiles {
  const suites = tests.map(({ uri, skill, prompts, routing, choice }) => {
    const isReadable = dialectOf(uri) === 'agent-skill';
    const folder = join(out, slugOf(skill));
    const skills = relative(folder, toPath(skillsFolderOf(uri))).replaceAll(sep, '/');
    const suite = toWaza({
      skill,
      cases: prompts.flatMap((one) => one.exported?.() ?? []),
      routing: isReadable && choice ? routing : [],
      folders: isReadable ? [skills] : [],
    });
    const unread =
      routing.length > 0 && !isReadable ? [`the routing cases of \`${skill}\`: waza reads only \`SKILL.md\`.`] : [];
    return {
      files: suite.files.map((one) => ({ ...one, path: join(folder, one.path) })),
      lost: [...suite.lost, ...unread],
    };
  });
  return { files: suites.flatMap(({ files }) => files), lost: suites.flatMap(({ lost }) => lost) };
}

/** Returns the skills with routing cases, and reports those that no model may choose. */
function routedSkills(tests: readonly TestsToExport[], note: Console['note']): readonly RoutedSkill[] {
  return tests.flatMap(({ skill, choice, routing }) => {
    if (routing.length === 0) return [];
    if (choice) return [{ skill, ...choice, cases: routing }];
    note(`Not exported: the routing cases of \`${skill}\`, which no model may choose.`);
    return [];
  });
}

async function evalsOf(cases: readonly ExportedCase[], path: string | undefined, option: string) {
  const skills = [...new Set(cases.map(({ skill }) => skill))];
  const [skill = ''] = skills;
  if (skills.length > 1) {
    throw new UserError(
      `An \`evals.json\` belongs to one skill, but ${skills.length} are selected. Name one skill file as PATH, or use \`--filter\`.`,
    );
  }
  return toEvals(skill, cases, path === undefined ? undefined : await findText(path, option));
}
