/** What changes on the disk, in batches, for a command that goes on until it is ended. */
import { basename, dirname, relative } from 'node:path';
import { watch } from 'chokidar';
import { OUTPUTS, PROMPTS } from '../../../testing/kept-files.ts';
import { isCatalog, isIgnored } from '../../files/globs.ts';
import { toUri } from '../../node/paths.ts';
import { isCheckable } from '../../node/select-files.ts';
import { systemClock } from '../../session/clock.ts';

/** Folders beside a skill whose files are part of its tests. */
export const TESTED_FOLDERS: readonly string[] = [PROMPTS, OUTPUTS, 'evals'];

export interface DiskWatch {
  /** The paths that came, changed or went since the last batch; waits for some. Undefined once it is ended. */
  next(): Promise<readonly string[] | undefined>;
  readonly isEnded: boolean;
  /** Watches these, too. */
  add(paths: readonly string[]): void;
  end(): void;
}

/** An editor writes a file in several steps, and chokidar passes over a change soon after another one of the same file. */
const SETTLE_MS = 60;

/** So long a file that is replaced may be away. */
const ATOMIC_MS = 20;

/** Resolves once whatever happens from now on is seen. */
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
  // A folder that cannot be watched any more is told of by what is missing.
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
