/** What makes the prompt of a sample the expected one (docs/testing-vscode.md). */
import type { Analysis } from '../../analysis/analysis.ts';
import { expectSnapshot } from '../../testing/expect-snapshot.ts';
import type { TextEdit } from '../../text.ts';
import { type SkillTests, type TestOptions, testSkill } from './test-skill.ts';

export type PromptToKeep =
  | {
      readonly edits: readonly TextEdit[];
      /** Undefined where the kept prompt is so already. */
      readonly kept: SkillTests['outdated'][number] | undefined;
    }
  | { readonly problem: string };

/** Rejects as `testSkill` does. */
export async function promptToKeep(
  analysis: Analysis,
  uri: string,
  sample: string,
  options: Pick<TestOptions, 'composing' | 'readKept' | 'files'>,
): Promise<PromptToKeep> {
  const file = analysis.file(uri);
  if (!file?.contract.samples.some(({ name }) => name === sample)) {
    return { problem: `There is no sample \`${sample}\` in this file: keep the values as a sample first.` };
  }
  const tests = await testSkill(analysis, uri, { ...options, snapshots: true, only: new Set([sample]) });
  if (!tests) return { problem: 'The frontmatter cannot be read: fix its YAML first.' };
  const { results, outdated } = tests;
  const snapshot = results.find(({ kind }) => kind === 'snapshot');
  if (snapshot?.status === 'failed' && outdated.length === 0) return { problem: snapshot.message ?? '' };
  if (!snapshot) {
    const why = results.find(({ kind, status }) => kind === 'composes' && status === 'failed')?.message;
    return {
      problem: `The sample \`${sample}\` gives no prompt that could be kept.${why === undefined ? '' : ` ${why}`}`,
    };
  }
  const edits = expectSnapshot(file, sample);
  if (edits) return { edits, kept: outdated[0] };
  return { problem: `The sample \`${sample}\` leaves no place for it: write \`expect: {snapshot: true}\` by hand.` };
}
