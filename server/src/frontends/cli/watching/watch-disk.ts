/** Batches of changes on disk, for a command with `--watch`. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { isIgnoreFile } from '../../../io/gitignore.ts';
import { isCatalog, isIgnored } from '../../../io/globs.ts';
import { isWithin, toUri } from '../../../io/paths.ts';
import { isCheckable } from '../../../io/select-files.ts';
import { systemClock } from '../../../services/session/pacing.ts';
import { OUTPUTS, PROMPTS } from '../../../testing/saved-files.ts';

/** The folders beside a skill that contain files of its tests. */
export const TESTED_FOLDERS: readonly string[] = [PROMPTS, OUTPUTS, 'evals'];

export interface DiskWatch {
  /**
   * Waits for changes. Returns the paths that were added, changed or deleted since the last batch; undefined after
   * `end`.
   */
  next(): Promise<readonly string[] | undefined>;
  readonly isEnded: boolean;
  /** Watches more paths. */
  add(paths: readonly string[]): void;
  end(): void;
}

/** The pause that ends a batch, since editors write in steps. It is longer than `SKIPPED_MS`. */
const SETTLE_MS = 60;

/** The time after a change in which chokidar skips other changes to the same file. */
const SKIPPED_MS = 50;

/** The time after the first change at which a batch ends even if changes continue. */
const MOST_MS = 1_000;

/** The time between two checks whether a watched path was replaced, and whether a new folder was read completely. */
const CHECK_MS = 500;

/** The number of checks of a new folder. chokidar reads a folder before it watches it, and misses files in between. */
const CHECKS_OF_NEW_FOLDER = 4;

/** The time for which a replaced file may be missing. */
const ATOMIC_MS = 20;

/**
 * Starts a watch. Resolves when the watch sees all later changes. With `allFiles`, it also sees files that are not
 * skills. A watched path may be deleted or moved, and come back later.
 */
export async function watchDisk(paths: readonly string[], allFiles: boolean): Promise<DiskWatch> {
  const isOfConcern = (path: string): boolean =>
    allFiles ||
    isCheckable(path) ||
    isCatalog(toUri(path)) ||
    isIgnoreFile(toUri(path)) ||
    TESTED_FOLDERS.includes(basename(dirname(path)));
  const isPassedOver = (path: string): boolean =>
    paths.every((root) => path !== root && isIgnored(relative(root, path).replaceAll('\\', '/')));
  let changed = new Map<string, number>();
  let since: number | undefined;
  let settling: (() => void) | undefined;
  let isEnded = false;
  let wake: (() => void) | undefined;
  const note = (path: string): void => {
    const now = systemClock.now();
    changed.set(path, now);
    since ??= now;
    settling?.();
    settling = systemClock.after(Math.max(0, Math.min(SETTLE_MS, since + MOST_MS - now)), () => {
      settling = undefined;
      since = undefined;
      wake?.();
    });
  };
  const roots = new Roots();
  const fresh = new Map<string, NewFolder>();
  const open = (ignoreInitial: boolean): FSWatcher =>
    watch([...roots.paths], {
      ignoreInitial,
      ignorePermissionErrors: true,
      followSymlinks: false,
      atomic: ATOMIC_MS,
      ignored: (path, stats) => isPassedOver(path) || (stats?.isFile() === true && !isOfConcern(path)),
    })
      .on('all', (event, path) => {
        if (event.startsWith('unlink')) roots.forget(path);
        if (event.startsWith('add')) fresh.get(dirname(path))?.names.add(basename(path));
        if (event === 'addDir') fresh.set(path, newFolder());
        else note(path);
      })
      // A folder that can no longer be watched was deleted, and its files are reported as missing.
      .on('error', () => undefined);
  await roots.add(paths);
  let watcher = open(true);
  await new Promise<void>((resolve) => watcher.on('ready', resolve));
  const checkNewFolders = async (): Promise<void> => {
    for (const [folder, state] of [...fresh]) {
      if (state.checks-- <= 1) fresh.delete(folder);
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      if (isEnded) return;
      for (const entry of entries) {
        const path = join(folder, entry.name);
        if (state.names.has(entry.name) || isPassedOver(path)) continue;
        state.names.add(entry.name);
        if (entry.isDirectory()) fresh.set(path, newFolder());
        else if (isOfConcern(path)) note(path);
        else continue;
        watcher.add(path);
      }
    }
  };
  let cancel: (() => void) | undefined;
  const follow = (): void => {
    cancel = systemClock.after(CHECK_MS, async () => {
      const { lost, isBack } = await roots.update();
      for (const path of isEnded ? [] : lost) for (const file of filesBelow(path, watcher)) note(file);
      if (isBack && !isEnded) {
        // A new watcher of the same path would share the old one's handle. All files may have changed.
        await watcher.close();
        if (!isEnded) watcher = open(false);
      }
      await checkNewFolders();
      if (!isEnded) follow();
    });
  };
  follow();
  return {
    get isEnded() {
      return isEnded;
    },
    async next() {
      while ((changed.size === 0 || settling) && !isEnded) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const batch = changed;
      changed = new Map();
      const skipped = systemClock.now() - SKIPPED_MS;
      for (const [path, time] of batch) if (time > skipped) note(path);
      return isEnded ? undefined : [...batch.keys()];
    },
    add(more) {
      watcher.add([...more]);
      void roots.add(more);
    },
    end() {
      isEnded = true;
      settling?.();
      wake?.();
      cancel?.();
      void watcher.close();
    },
  };
}

/** A folder that was created during the watch. */
interface NewFolder {
  /** The names of its files and folders that are watched. */
  readonly names: Set<string>;
  /** The number of checks that are left. */
  checks: number;
}

const newFolder = (): NewFolder => ({ names: new Set(), checks: CHECKS_OF_NEW_FOLDER });

/**
 * The watched paths. The operating system watches the file or folder that was at a path when the watch began, not the
 * one that is there later.
 */
class Roots {
  readonly #identities = new Map<string, string | undefined>();

  get paths(): Iterable<string> {
    return this.#identities.keys();
  }

  async add(paths: readonly string[]): Promise<void> {
    for (const path of paths) if (!this.#identities.has(path)) this.#identities.set(path, await identityOf(path));
  }

  /** Marks a path as replaced, so that it counts as another file or folder when it comes back. */
  forget(path: string): void {
    if (this.#identities.has(path)) this.#identities.set(path, undefined);
  }

  /** Returns the paths that were removed or replaced, and whether there is another file or folder at a path. */
  async update(): Promise<{ readonly lost: readonly string[]; readonly isBack: boolean }> {
    const lost: string[] = [];
    let isBack = false;
    for (const [path, before] of this.#identities) {
      const identity = await identityOf(path);
      if (identity === before) continue;
      this.#identities.set(path, identity);
      if (before !== undefined) lost.push(path);
      if (identity !== undefined) isBack = true;
    }
    return { lost, isBack };
  }
}

/** Returns a value that differs between two folders; undefined if nothing is at the path. Programs often replace files. */
const identityOf = (path: string): Promise<string | undefined> =>
  stat(path).then(
    (stats) => (stats.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : 'file'),
    () => undefined,
  );

/** Returns a path, and the files below it that are watched. */
function filesBelow(path: string, watcher: FSWatcher): ReadonlySet<string> {
  const files = new Set([path]);
  for (const [folder, names] of Object.entries(watcher.getWatched())) {
    if (isWithin(path, folder)) for (const name of names) files.add(join(folder, name));
  }
  return files;
}
