/** What the tests of one skill found, as files of a report. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { TestResult } from '../../../testing/result.ts';
import { lineStartsOf, positionAt } from '../../../text.ts';
import type { SkillTests } from '../../testing/test-skill.ts';
import type { TestReport } from '../formats/tests.ts';

export type TestedFile = TestReport['files'][number];

/** The skill's own file, and those of its `evals/`; only those with results. */
export function testedFiles(
  analysis: Analysis,
  uri: string,
  tests: SkillTests,
  fileOf: (uri: string) => string,
): readonly TestedFile[] {
  const file = analysis.file(uri);
  if (!file) return [];
  const skill = file.contract.name?.name ?? fileOf(uri);
  const withPlace = (result: TestResult): TestedFile['results'][number] => {
    const decided = result.source && analysis.file(result.source.uri);
    if (!result.source || !decided) return result;
    const { line, character } = positionAt(decided.lines, result.source.span.start);
    return { ...result, decidedAt: `${fileOf(result.source.uri)}:${line + 1}:${character + 1}` };
  };
  const results = tests.results.map(withPlace);
  const own = results.length > 0 ? [{ file: fileOf(uri), skill, lines: file.lines, results }] : [];
  const evals = tests.evals.map((one) => ({
    file: fileOf(one.uri),
    skill,
    lines: lineStartsOf(one.text),
    results: one.results,
  }));
  return [...own, ...evals];
}

export const hasFailed = ({ results }: TestedFile): boolean => results.some(({ status }) => status === 'failed');
