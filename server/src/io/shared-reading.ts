/**
 * Shares readings of the disk between callers, one reading at a time. Stamps show which files have changed since the
 * previous reading.
 */
import { lstat, stat } from 'node:fs/promises';

/**
 * Returns a function that runs `read` after each call. Calls that arrive before a reading begins share that reading.
 */
export function sharedReading(read: () => Promise<void>): () => Promise<void> {
  let reading: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= reading.then(() => {
      next = undefined;
      return read();
    });
    reading = next.catch(() => {});
    return next;
  };
}

/** Returns a string that differs for each state of a file. For a link, it includes the state of its target. */
export async function stampOf(path: string): Promise<string> {
  const own = await lstat(path, { bigint: true }).catch(() => undefined);
  const target = own?.isSymbolicLink() ? await stat(path, { bigint: true }).catch(() => undefined) : undefined;
  return [own, target].map((stats) => [stats?.ino, stats?.size, stats?.mtimeNs, stats?.ctimeNs].join()).join(' ');
}
