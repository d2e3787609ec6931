/** A command that goes on: a round over the files of a run, and one more after each change on the disk. */
import { resolve } from 'node:path';
import { type Composing, createComposing } from '../../composing/composing.ts';
import { startNodeWorker } from '../../composing/node-worker.ts';
import { isFolder, isWithin, toPath, toUri } from '../../disk/paths.ts';
import type { Session } from '../../session/session.ts';
import type { Console } from '../console.ts';
import { assertCatalogsParse, nameOf } from '../project.ts';
import { type Selection, selectFiles } from '../selection.ts';
import { Stop } from '../stop.ts';
import { concernedBy } from './concerned.ts';
import { onEnd } from './until-ended.ts';
import { watchDisk } from './watch-disk.ts';
import { openWatchedSession, type WatchedFiles } from './watched-session.ts';

export interface Watching extends Pick<WatchedFiles, 'published'> {
  readonly cwd: string;
  readonly paths: readonly string[];
  /** Whether files matter that are no skills, since skills link to them. */
  readonly allFiles: boolean;
  /** What keys do, beside those that end it. */
  readonly keys: Readonly<Record<string, () => void>>;
}

export interface Round {
  readonly session: Session;
  readonly composing: Composing;
  /** The files of the run, as they are on the disk now. */
  readonly named: ReadonlySet<string>;
  /** What came, changed or went. */
  readonly changed: readonly string[];
  /** Those whose results may be other ones than in the round before. */
  readonly concerned: ReadonlySet<string> | 'all';
  readonly isEnded: () => boolean;
}

/** Goes on until the user ends it. */
export async function watchFiles(
  { cwd, paths, allFiles, keys, published }: Watching,
  console: Console,
  work: (round: Round) => Promise<void>,
): Promise<void> {
  const selection = await selectFiles(cwd, paths);
  const disk = await watchDisk(await placesOf(cwd, paths, selection), allFiles);
  const leave = onEnd(() => disk.end(), keys);
  const composing = createComposing(startNodeWorker());
  // Where the last file has gone there is nothing to do, and still something to wait for.
  const select = (): Promise<Selection> =>
    selectFiles(cwd, paths).catch(() => ({ ...selection, named: new Set<string>(), read: [] }));
  const session = openWatchedSession(selection.roots, {
    select,
    watch: (folders) => disk.add(folders.map(toPath)),
    log: console.note,
    published,
  });
  try {
    composing.warm();
    session.receive({ kind: 'start' });
    await session.read();
    let named = urisOf(selection);
    let changed: readonly string[] = [];
    let concerned: ReadonlySet<string> | 'all' = 'all';
    for (;;) {
      await work({ session, composing, named, changed, concerned, isEnded: () => disk.isEnded });
      const batch = await disk.next();
      if (!batch) return;
      changed = batch.map(toUri);
      const before = session.analysis;
      session.receive({ kind: 'watched', uris: changed });
      await session.read();
      const { analysis } = session;
      concerned = concernedBy(changed, before, analysis);
      if (changed.some((uri) => named.has(uri) !== analysis.index.files.has(uri))) named = urisOf(await select());
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

/** Shows a round's result: on a terminal on a fresh screen. `keys` says what can be pressed. */
export function showRound(
  text: string,
  cwd: string,
  { session: { analysis }, named }: Pick<Round, 'session' | 'named'>,
  keys: string,
  { isTerminal, print, note }: Console,
): void {
  print(`${isTerminal ? FRESH_SCREEN : ''}${text}`);
  try {
    assertCatalogsParse({ workspace: { analysis }, named, fileOf: (uri) => nameOf(cwd, toPath(uri)) });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    note(error.message);
  }
  if (isTerminal) note(`watching ${named.size} ${named.size === 1 ? 'file' : 'files'}; press ${keys}`);
}

/** Clears the screen and what is above it. */
const FRESH_SCREEN = '\u001b[2J\u001b[3J\u001b[H';
