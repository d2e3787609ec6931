/** `skill-composer test --export`: samples for other tools (docs/testing.md, "Other tools"). */
import { resolve } from 'node:path';
import { listed } from '../../../nearest.ts';
import { type ExportedCase, toEvals, toPromptfoo } from '../../../testing/export.ts';
import { escapeInvisibleInJson } from '../../../text.ts';
import { findText, writeResult } from '../../node/read-named.ts';
import type { SkillTests } from '../../testing/test-skill.ts';
import { UserError } from '../../user-error.ts';
import type { Console } from '../console.ts';

export type ExportTool = 'promptfoo' | 'evals';

export interface ExportWords {
  readonly to: ExportTool;
  readonly cwd: string;
  readonly out: string | undefined;
}

/** Exports the samples. Returns 1 if a sample does not compose, else 0. */
export async function exportTests(
  { to, cwd, out }: ExportWords,
  tests: readonly SkillTests[],
  { note, print }: Console,
): Promise<number> {
  const cases = tests.flatMap(({ prompts }) => prompts.flatMap((one) => one.exported?.() ?? []));
  if (cases.length === 0) throw new UserError('No sample to export: no sample composes or matches `--filter`.');
  const path = out === undefined ? undefined : resolve(cwd, out);
  const { text, lost } = to === 'promptfoo' ? toPromptfoo(cases) : await evalsOf(cases, path, `--out ${out}`);
  for (const sentence of lost) note(`Not exported: ${sentence}`);
  const ofPrompt = cases.filter((one) => one.ofPrompt.length > 0);
  if (ofPrompt.length > 0) {
    const keys = [...new Set(ofPrompt.flatMap((one) => one.ofPrompt))];
    note(
      `Not exported: the expectations under ${listed(keys, 'and')} in ${ofPrompt.length} of ${cases.length} samples. They apply to the prompt, and \`test\` checks them.`,
    );
  }
  const results = tests.flatMap((one) => one.results);
  const without = results.filter(({ kind, status }) => kind === 'composes' && status === 'failed');
  for (const { name, message = '' } of without) note(`Not exported: \`${name}\`, which does not compose. ${message}`);
  for (const [kind, what] of OTHERS) {
    const count = results.filter((one) => one.kind === kind).length;
    if (count > 0) note(`Not exported: ${count} ${what}.`);
  }
  if (path === undefined) print(escapeInvisibleInJson(text));
  else await writeResult(path, text, `--out ${out}`);
  return without.length > 0 ? 1 : 0;
}

const OTHERS = [
  ['routing', 'results of routing cases, which have no output'],
  ['example', 'results of examples, which already have an output'],
] as const;

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
