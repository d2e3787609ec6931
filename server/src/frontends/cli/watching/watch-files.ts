/** Runs a command with `--watch`: one round over the files of a run, and another round after each change on disk. */
import { resolve } from 'node:path';
import type { Analysis } from '../../../analysis/analysis.ts';
import { utf16 } from '../../../features/locate.ts';
import type { Files } from '../../../io/files.ts';
import { isIgnoreFile } from '../../../io/gitignore.ts';
import { nodeFiles } from '../../../io/node-files.ts';
import { isFolder, isWithin, toPath, toUri } from '../../../io/paths.ts';
import { assertCatalogsParse, nameOf } from '../../../io/project.ts';
import { FolderReadings } from '../../../io/read-folder.ts';
import { type Selection, selectFiles } from '../../../io/select-files.ts';
import { isUserError, userMessage } from '../../../io/user-error.ts';
import { type Composing, createComposing } from '../../../services/composing/composing.ts';
import { startNodeWorker } from '../../../services/composing/node-worker.ts';
import { systemClock } from '../../../services/session/pacing.ts';
import { Session } from '../../../services/session/session.ts';
import { folderOf } from '../../../vocabulary/dialect.ts';
import { dependentsOf } from '../../../workspace/composition-lookups.ts';
import { affectedBy } from '../../../workspace/update.ts';
import type { Console } from '../console.ts';
import { TESTED_FOLDERS, watchDisk } from './watch-disk.ts';

export interface Watching extends Pick<WatchedFiles, 'published'> {
  readonly cwd: string;
  readonly paths: readonly string[];
  /** True to also watch files that are not skills, since skills may link to them. */
  readonly allFiles: boolean;
  /** The actions for keys, in addition to the keys that quit. */
  readonly keys: Readonly<Record<string, () => void>>;
}

export interface Round {
  readonly session: Session;
  readonly composing: Composing;
  /** The files of the run, as they are on disk now. */
  readonly named: ReadonlySet<string>;
  /** The files that were added, changed or deleted. */
  readonly changed: readonly string[];
  /** The files whose results may differ from the previous round. */
  readonly concerned: ReadonlySet<string> | 'all';
  readonly isEnded: () => boolean;
}

/** Calls `work` for each round, until the user quits. */
export async function watchFiles(
  { cwd, paths, allFiles, keys, published }: Watching,
  console: Console,
  work: (round: Round) => Promise<void>,
): Promise<void> {
  const selection = await selectFiles(cwd, paths);
  const disk = await watchDisk(await placesOf(cwd, paths, selection), allFiles);
  const leave = onEnd(() => disk.end(), keys);
  const composing = createComposing(startNodeWorker());
  // If the last file was deleted, the watch continues without files.
  const select = (): Promise<Selection> =>
    selectFiles(cwd, paths).catch((error: unknown) => {
      userMessage(error);
      return { ...selection, named: new Set<string>(), read: [] };
    });
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
      if (changed.some((uri) => isIgnoreFile(uri) || named.has(uri) !== analysis.index.files.has(uri)))
        named = urisOf(await select());
    }
  } finally {
    leave();
    disk.end();
    session.dispose();
    composing.dispose();
  }
}

const urisOf = ({ named }: Selection): ReadonlySet<string> => new Set([...named].map(toUri));

/** Returns the folders to watch, and the files outside these folders. */
async function placesOf(cwd: string, paths: readonly string[], { read }: Selection): Promise<readonly string[]> {
  const folders = [cwd];
  for (const path of paths) {
    const full = resolve(cwd, path);
    if (!isWithin(cwd, full) && (await isFolder(full))) folders.push(full);
  }
  return [...folders, ...read.filter((path) => !folders.some((folder) => isWithin(folder, path)))];
}

/** Shows the result of a round; on a terminal, clears the screen first. `keys` lists the keys in words. */
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
    if (!isUserError(error)) throw error;
    note(error.onCommandLine);
  }
  if (isTerminal) note(`watching ${named.size} ${named.size === 1 ? 'file' : 'files'}; press ${keys}`);
}

/** The codes that clear the screen and the scrollback. */
const FRESH_SCREEN = '\u001b[2J\u001b[3J\u001b[H';

// The skills to test again after a change on disk (docs/testing.md, "Watching").

/** Returns the files whose results may differ. `uris` are the files that differ between the two analyses. */
function concernedBy(uris: readonly string[], before: Analysis, now: Analysis): ReadonlySet<string> | 'all' {
  const [{ index }, { index: after }] = [before, now];
  if (index.catalogs !== after.catalogs) return 'all';
  const found = new Set<string>();
  for (const uri of uris) {
    const folder = folderOf(uri);
    if (TESTED_FOLDERS.includes(folder.slice(folder.lastIndexOf('/') + 1))) {
      for (const other of after.files.keys()) if (folderOf(other) === folderOf(folder)) found.add(other);
    }
    if (index.files.get(uri)?.text === after.files.get(uri)?.text) continue;
    const file = now.file(uri);
    const affected = affectedBy(file ? { kind: 'file', file } : { kind: 'delete', uri }, index, after);
    if (affected === 'all') return 'all';
    const names = [index, after].flatMap(({ graph }) => graph.skills.get(uri)?.summary.name ?? []);
    for (const other of [...affected, ...dependentsOf(after.graph, names)]) found.add(other);
  }
  return found;
}

// The keys of a command with `--watch`. The user quits with `q`, Ctrl+C or a signal.

/** The keys that quit. In raw mode, the terminal sends Ctrl+C and Ctrl+D as characters. */
const ENDS = ['q', 'Q', '\u0003', '\u0004'];

/** Calls `end`, possibly more than once, when the user quits. Returns a function that restores the terminal. */
function onEnd(end: () => void, keys: Readonly<Record<string, () => void>>): () => void {
  const { stdin, stdout } = process;
  const isTerminal = stdin.isTTY === true;
  const read = (chunk: Buffer): void => {
    if (ENDS.some((key) => chunk.includes(key))) end();
    for (const [key, act] of Object.entries(keys)) if (chunk.includes(key)) act();
  };
  if (isTerminal) stdin.setRawMode(true);
  stdin.on('data', read);
  process.on('SIGINT', end).on('SIGTERM', end);
  // An error means that the reader closed the pipe.
  stdout.on('error', end);
  return () => {
    process.off('SIGINT', end).off('SIGTERM', end);
    stdout.off('error', end);
    stdin.off('data', read);
    if (isTerminal) stdin.setRawMode(false);
    stdin.pause();
  };
}

/** The parameters of a session that watches the files of a run (server/README.md). */
interface WatchedFiles {
  /** Returns the files of the run that are on disk now. */
  readonly select: () => Promise<Selection>;
  /** Watches folders in addition to the files of the run. */
  readonly watch: (folders: readonly string[]) => void;
  readonly log: (message: string) => void;
  /** Receives each file whose findings changed. Without this function, no file is checked. */
  readonly published: ((uri: string) => void) | undefined;
}

/** Opens a session that reads the same files as a single run. The session does not compose samples. */
function openWatchedSession(roots: readonly string[], { select, watch, log, published }: WatchedFiles): Session {
  const folders = roots.map(toUri);
  const files: Files = {
    ...nodeFiles,
    find: async (asked, globs, within) =>
      asked.some((folder) => folders.includes(folder))
        ? (await select()).read.map(toUri)
        : nodeFiles.find(asked, globs, within),
  };
  return new Session({
    files,
    folderReadings: new FolderReadings(files),
    folders,
    clock: systemClock,
    locate: utf16,
    settings: {},
    editor: undefined,
    pull: published === undefined,
    canRefreshDiagnostics: false,
    trusted: true,
    composeSamples: async () => undefined,
    client: {
      publish: (uri) => published?.(uri),
      refreshDiagnostics: () => undefined,
      announce: () => undefined,
      watch,
      log: (_, message) => log(message),
      warn: log,
    },
  });
}
