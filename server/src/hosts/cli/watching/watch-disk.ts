/** Batches of changes on disk, for a command with `--watch`. */
import { basename, dirname, relative } from 'node:path';
import { watch } from 'chokidar';
import { OUTPUTS, PROMPTS } from '../../../testing/saved-files.ts';
import { isCatalog, isIgnored } from '../../files/globs.ts';
import { toUri } from '../../node/paths.ts';
import { isCheckable } from '../../node/select-files.ts';
import { systemClock } from '../../session/clock.ts';

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

/**
 * The pause that ends a batch. Editors write in steps, and chokidar skips a change shortly after another change to the
 * same file.
 */
const SETTLE_MS = 60;

/** The time for which a replaced file may be missing. */
const ATOMIC_MS = 20;

/**
 * Starts a watch. Resolves when the watch sees all later changes. With `allFiles`, it also sees files that are not
 * skills.
 */
export async function watchDisk(paths: readonly string[], allFiles: boolean): Promise<DiskWatch> {
  const isOfConcern = (path: string): boolean =>
    allFiles || isCheckable(path) || isCatalog(toUri(path)) || TESTED_FOLDERS.includes(basename(dirname(path)));
  const isPassedOver = (path: string): boolean =>
    paths.every((root) => path !== root && isIgnored(relative(root, path).replaceAll('\\', '/')));
  const watcher = watch([...paths], {
    ignoreInitial: true,
    ignorePermissionErrors: true,
    followSymlinks: false,
    atomic: ATOMIC_MS,
    ignored: (path, stats) => isPassedOver(path) || (stats?.isFile() === true && !isOfConcern(path)),
  });
  let changed = new Set<string>();
  let settling: (() => void) | undefined;
  let isEnded = false;
  let tell: (() => void) | undefined;
  watcher.on('all', (event, path) => {
    if (event === 'addDir') return;
    changed.add(path);
    settling?.();
    settling = systemClock.after(SETTLE_MS, () => {
      settling = undefined;
      tell?.();
    });
  });
  // A folder that can no longer be watched was deleted, and its files are reported as missing.
  watcher.on('error', () => undefined);
  await new Promise<void>((resolve) => watcher.on('ready', resolve));
  return {
    get isEnded() {
      return isEnded;
    },
    async next() {
      while ((changed.size === 0 || settling) && !isEnded) {
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      }
      const batch = [...changed];
      changed = new Set();
      return isEnded ? undefined : batch;
    },
    add: (more) => void watcher.add([...more]),
    end() {
      isEnded = true;
      settling?.();
      tell?.();
      void watcher.close();
    },
  };
}
