/** Reading the disk for many callers: one reading at a time, and nothing that is as it was. */
import { lstat, stat } from 'node:fs/promises';

/** What is there when the result is called is read afterwards; callers share the reading that has not begun. */
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

/** What tells one state of a file from another; of a link also the state of what it leads to. */
export async function stampOf(path: string): Promise<string> {
  const own = await lstat(path, { bigint: true }).catch(() => undefined);
  const target = own?.isSymbolicLink() ? await stat(path, { bigint: true }).catch(() => undefined) : undefined;
  return [own, target].map((stats) => [stats?.ino, stats?.size, stats?.mtimeNs, stats?.ctimeNs].join()).join(' ');
}
