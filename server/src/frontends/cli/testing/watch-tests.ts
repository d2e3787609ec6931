/** Saved prompts and recorded outputs on disk, for a run of the command line (docs/testing.md, "Snapshots"). */
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Analysis } from '../../../analysis/analysis.ts';
import { keptReader } from '../../../io/kept-reader.ts';
import { nodeFiles } from '../../../io/node-files.ts';
import { toPath } from '../../../io/paths.ts';
import { nameOf, type Project } from '../../../io/project.ts';
import { writeResult } from '../../../io/read-named.ts';
import { UserError } from '../../../io/user-error.ts';
import { byFile } from '../../../reports/check-report.ts';
import { type TestReport, testsToPretty } from '../../../reports/test-results.ts';
import type { Composing } from '../../../services/composing/composing.ts';
import type { Session } from '../../../services/session/session.ts';
import { type SkillTests, testSkill, unreadTests } from '../../../services/testing/test-skill.ts';
import type { TestResult } from '../../../testing/result.ts';
import { lineStartsOf, positionAt } from '../../../text.ts';
import type { Console } from '../console.ts';
import { showRound, watchFiles } from '../watching/watch-files.ts';

type ProjectPaths = Pick<Project, 'pathOf' | 'fileOf' | 'named'>;

/** Writes files, and returns the names of the files. */
export async function saveTexts(
  { pathOf, fileOf }: ProjectPaths,
  texts: readonly { readonly uri: string; readonly text: string }[],
): Promise<readonly string[]> {
  for (const { uri, text } of texts) {
    const path = pathOf(uri);
    if (await isLink(dirname(path))) {
      throw new UserError(
        `\`${fileOf(uri)}\` cannot be written: its folder is a symbolic link. Replace the link with a folder.`,
      );
    }
    await writeResult(path, text, `\`${fileOf(uri)}\``);
  }
  return texts.map(({ uri }) => fileOf(uri));
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );

/**
 * Saves outputs. An output that already exists in the other form is reported and not saved, so that each output has
 * only one form.
 */
export async function record(
  place: ProjectPaths,
  outputs: SkillTests['outputs'],
): Promise<{ readonly written: readonly string[]; readonly notes: readonly string[] }> {
  const { fileOf } = place;
  const readKept = keptReader(place);
  const notes: string[] = [];
  const fresh: SkillTests['outputs'][number][] = [];
  for (const output of outputs) {
    if ((await readKept(output.other)) === undefined) fresh.push(output);
    else
      notes.push(
        `Not recorded: \`${fileOf(output.uri)}\`, because \`${fileOf(output.other)}\` already exists. Delete one of them.`,
      );
  }
  return { written: await saveTexts(place, fresh), notes };
}

/** A file of a test report with its results. */
export type TestedFile = TestReport['files'][number];

/**
 * Returns the files with test results: the file of the skill and the files in its `evals/` folder. `found` is the
 * result of `testSkill`.
 */
export function testedFiles(
  analysis: Analysis,
  uri: string,
  found: SkillTests | undefined,
  fileOf: (uri: string) => string,
): readonly TestedFile[] {
  const file = analysis.file(uri);
  const tests = found ?? unreadTests(analysis, uri);
  if (!file || !tests) return [];
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

/** `skill-composer test --watch`: runs the tests that an edit affects (docs/testing.md, "Watching"). */
export interface TestsToWatch {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly quiet: boolean;
  readonly filter: string | undefined;
  readonly snapshots: boolean;
}

/** Watches until the user quits. Returns 1 if a test fails in the last round, else 0. */
export async function watchTests(watching: TestsToWatch, console: Console): Promise<number> {
  const { cwd, paths, quiet } = watching;
  const tested = new Map<string, readonly TestedFile[]>();
  await watchFiles({ cwd, paths, allFiles: false, keys: {}, published: undefined }, console, async (round) => {
    const { session, composing, named, concerned, isEnded } = round;
    const ran = new Set([...named].filter((uri) => concerned === 'all' || concerned.has(uri)));
    for (const uri of tested.keys()) if (!named.has(uri)) tested.delete(uri);
    for (const uri of ran) {
      if (isEnded()) break;
      tested.set(uri, await testOne(session, uri, named, watching, composing));
    }
    if (concerned !== 'all' && ran.size === 0) return;
    // Shows the tests of this round, and the failed tests of earlier rounds.
    const shown = [...tested].flatMap(([uri, files]) => files.filter((one) => ran.has(uri) || hasFailed(one)));
    const text = testsToPretty({ files: shown.sort(byFile), written: [] }, console.colors, quiet);
    showRound(text, cwd, round, 'q to quit', console);
  });
  return [...tested.values()].flat().some(hasFailed) ? 1 : 0;
}

async function testOne(
  session: Session,
  uri: string,
  named: ReadonlySet<string>,
  { cwd, filter, snapshots }: TestsToWatch,
  composing: Composing,
): Promise<readonly TestedFile[]> {
  const { analysis } = session;
  const fileOf = (one: string): string => nameOf(cwd, toPath(one));
  const readKept = keptReader({ pathOf: toPath, fileOf, named });
  const tests = await testSkill(analysis, uri, { composing, readKept, files: nodeFiles, snapshots, filter });
  session.receive({ kind: 'triggers', uri, requests: tests?.routing.filter((one) => one.uri !== uri) ?? [] });
  return testedFiles(analysis, uri, tests, fileOf);
}
