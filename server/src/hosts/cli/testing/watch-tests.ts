/** `skill-composer test --watch`: the tests that an edit concerns, run again at each edit (docs/testing.md, "Watching"). */
import type { Composing } from '../../composing/composing.ts';
import { nodeFiles } from '../../disk/node-files.ts';
import { toPath } from '../../disk/paths.ts';
import type { Session } from '../../session/session.ts';
import { testSkill } from '../../testing/test-skill.ts';
import type { Console } from '../console.ts';
import { byFile } from '../formats/report.ts';
import { testsToPretty } from '../formats/tests.ts';
import { nameOf } from '../project.ts';
import { showRound, watchFiles } from '../watching/watch-files.ts';
import { keptReader } from './kept.ts';
import { hasFailed, type TestedFile, testedFiles } from './tested-files.ts';

export interface TestsToWatch {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly quiet: boolean;
  readonly filter: string | undefined;
  readonly snapshots: boolean;
}

/** Goes on until the user ends it; returns 1 where a test fails at last, else 0. */
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
    // What ran, and what still fails.
    const shown = [...tested].flatMap(([uri, files]) => files.filter((one) => ran.has(uri) || hasFailed(one)));
    const text = testsToPretty({ files: shown.sort(byFile), written: [] }, console.colors, quiet);
    showRound(text, cwd, round, 'q to end', console);
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
  const isThere = tests?.evals.some(({ results }) => results.some(({ kind }) => kind === 'routing')) ?? false;
  session.receive({ kind: 'triggers', uri, isThere });
  return tests ? testedFiles(analysis, uri, tests, fileOf) : [];
}
