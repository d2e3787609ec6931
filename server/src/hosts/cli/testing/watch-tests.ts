/** `skill-composer test --watch`: the tests that an edit concerns, run again at each edit (docs/testing.md, "Watching"). */
import { resolve } from 'node:path';
import type { Analysis } from '../../../analysis/analysis.ts';
import { type Composing, createComposing } from '../../composing/composing.ts';
import { startNodeWorker } from '../../composing/node-worker.ts';
import { nodeFiles } from '../../disk/node-files.ts';
import { isFolder, isWithin, toPath, toUri } from '../../disk/paths.ts';
import { testSkill } from '../../testing/test-skill.ts';
import type { Console } from '../console.ts';
import { byFile } from '../formats/report.ts';
import { testsToPretty } from '../formats/tests.ts';
import { assertCatalogsParse, nameOf } from '../project.ts';
import { type Selection, selectFiles } from '../selection.ts';
import { Stop } from '../stop.ts';
import { concernedBy } from './concerned.ts';
import { keptReader } from './kept.ts';
import { hasFailed, type TestedFile, testedFiles } from './tested-files.ts';
import { onEnd } from './until-ended.ts';
import { watchDisk } from './watch-disk.ts';
import { openWatchedSession } from './watched-session.ts';

export interface Watching {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly quiet: boolean;
  readonly filter: string | undefined;
  readonly snapshots: boolean;
}

/** Goes on until the user ends it; returns 1 where a test fails at last, else 0. */
export async function watchTests(watching: Watching, console: Console): Promise<number> {
  const { cwd, paths } = watching;
  const selection = await selectFiles(cwd, paths);
  const disk = await watchDisk(await placesOf(cwd, paths, selection));
  const leave = onEnd(() => disk.end());
  const composing = createComposing(startNodeWorker());
  // Where the last file has gone there is nothing to test, and still something to wait for.
  const select = (): Promise<Selection> =>
    selectFiles(cwd, paths).catch(() => ({ ...selection, named: new Set<string>(), read: [] }));
  const session = openWatchedSession(selection.roots, {
    select,
    watch: (folders) => disk.add(folders.map(toPath)),
    log: console.note,
  });
  const tested = new Map<string, readonly TestedFile[]>();
  try {
    composing.warm();
    session.receive({ kind: 'start' });
    await session.read();
    let named = urisOf(selection);
    let concerned: ReadonlySet<string> | 'all' = 'all';
    for (;;) {
      const ran = [...named].filter((uri) => concerned === 'all' || concerned.has(uri));
      for (const uri of tested.keys()) if (!named.has(uri)) tested.delete(uri);
      for (const uri of ran) {
        if (disk.isEnded) break;
        tested.set(uri, await testOne(session.analysis, uri, named, watching, composing));
      }
      if (concerned === 'all' || ran.length > 0) show(tested, new Set(ran), session.analysis, watching, console);
      const changed = await disk.next();
      if (!changed) return [...tested.values()].flat().some(hasFailed) ? 1 : 0;
      const before = session.analysis;
      session.receive({ kind: 'watched', uris: changed.map(toUri) });
      await session.read();
      const { analysis } = session;
      concerned = concernedBy(changed.map(toUri), before, analysis);
      if (changed.some((path) => named.has(toUri(path)) !== analysis.index.files.has(toUri(path)))) {
        named = urisOf(await select());
      }
    }
  } finally {
    leave();
    disk.end();
    session.dispose();
    composing.dispose();
  }
}

const urisOf = ({ named }: Selection): ReadonlySet<string> => new Set([...named].map(toUri));

/** The folders in which files may come, and the files that stand elsewhere. */
async function placesOf(cwd: string, paths: readonly string[], { read }: Selection): Promise<readonly string[]> {
  const folders = [cwd];
  for (const path of paths) {
    const full = resolve(cwd, path);
    if (!isWithin(cwd, full) && (await isFolder(full))) folders.push(full);
  }
  return [...folders, ...read.filter((path) => !folders.some((folder) => isWithin(folder, path)))];
}

async function testOne(
  analysis: Analysis,
  uri: string,
  named: ReadonlySet<string>,
  { cwd, filter, snapshots }: Watching,
  composing: Composing,
): Promise<readonly TestedFile[]> {
  const fileOf = (one: string): string => nameOf(cwd, toPath(one));
  const readKept = keptReader({ pathOf: toPath, fileOf, named });
  const tests = await testSkill(analysis, uri, { composing, readKept, files: nodeFiles, snapshots, filter });
  return tests ? testedFiles(analysis, uri, tests, fileOf) : [];
}

/** What ran, and what still fails. */
function show(
  tested: ReadonlyMap<string, readonly TestedFile[]>,
  ran: ReadonlySet<string>,
  analysis: Analysis,
  { cwd, quiet }: Watching,
  { colors, isTerminal, note, print }: Console,
): void {
  const all = [...tested].flatMap(([uri, files]) => files.filter((one) => ran.has(uri) || hasFailed(one)));
  print(`${isTerminal ? FRESH_SCREEN : ''}${testsToPretty({ files: all.sort(byFile), written: [] }, colors, quiet)}`);
  try {
    const fileOf = (one: string): string => nameOf(cwd, toPath(one));
    assertCatalogsParse({ workspace: { analysis }, named: new Set(tested.keys()), fileOf });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    note(error.message);
  }
  if (isTerminal) note(`watching ${tested.size} ${tested.size === 1 ? 'file' : 'files'}; press q to end`);
}

/** Clears the screen and what is above it. */
const FRESH_SCREEN = '\u001b[2J\u001b[3J\u001b[H';
