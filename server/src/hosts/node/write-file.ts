/** Writes files atomically, and never overwrites changes that other programs made in the meantime. */
import { createHash, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readHandle } from './read-file.ts';

const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

export interface Replacement {
  /** The text that the file must still have. */
  readonly old: string;
  readonly text: string;
}

/**
 * Replaces the text of a file, and keeps its permissions, owner and hard links. Returns `changed` without writing if
 * the file has other text, or if another process is writing it. Rejects with the system's error, without changing the
 * file.
 */
export async function replaceFile(path: string, { old, text }: Replacement): Promise<'written' | 'changed'> {
  const stats = await lstat(path);
  if (!stats.isFile()) return 'changed';
  // Replacing the file with a new file would break its hard links.
  return stats.nlink > 1 ? overwrite(path, old, text) : exchange(path, stats, old, text);
}

/** Creates a file and the folders above it. Rejects with `EEXIST` if the path already exists. */
export async function createFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { flag: 'wx' }).catch(async (error: NodeJS.ErrnoException) => {
    // On a full disk, a part of the text may have been written.
    if (error.code !== 'EEXIST') await rm(path, { force: true }).catch(() => {});
    throw error;
  });
}

/** Removes a file that has this text. Returns `changed` or rejects in the same cases as `replaceFile`. */
export const removeFile = (path: string, old: string): Promise<'removed' | 'changed'> =>
  alone(path, async (isOurs) => {
    const stats = await lstat(path).catch(() => undefined);
    if (!stats?.isFile() || !(await inFile(path, O_RDONLY, (file) => has(file, old)))) return 'changed';
    if (!(await isOurs())) return 'changed';
    await rm(path);
    return 'removed';
  });

/** The age after which a lock counts as abandoned, because its process was killed. */
const ABANDONED_MS = 10_000;

/**
 * Runs `work` while this process holds the lock of a file. Returns `changed` if another process holds the lock. A
 * process that was paused may have lost its lock, so `work` must call `isOurs` immediately before it changes anything.
 */
async function alone<Result>(
  path: string,
  work: (isOurs: () => Promise<boolean>) => Promise<Result>,
): Promise<Result | 'changed'> {
  const name = createHash('sha256').update(basename(path)).digest('hex').slice(0, 12);
  const lock = join(dirname(path), `.skill-composer-lock-${name}.tmp`);
  const owner = randomBytes(12).toString('hex');
  const isOurs = () => inFile(lock, O_RDONLY, (file) => has(file, owner)).catch(() => false);
  if (!(await isTaken(lock, owner))) return 'changed';
  try {
    return await work(isOurs);
  } finally {
    if (await isOurs()) await rm(lock, { force: true }).catch(() => {});
  }
}

/** Acquires a lock, and returns whether that succeeded. Rejects if the lock file cannot be created. */
async function isTaken(lock: string, owner: string): Promise<boolean> {
  const file = await open(lock, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (file) {
    try {
      await file.writeFile(owner).finally(() => file.close());
    } catch (error) {
      await rm(lock, { force: true }).catch(() => {});
      throw error;
    }
    return true;
  }
  const stats = await lstat(lock).catch(() => undefined);
  // A lock with a time in the future counts as abandoned, too. A folder with the name of a lock is removed.
  const isAbandoned = stats && Math.abs(Date.now() - stats.mtimeMs) > ABANDONED_MS;
  if (isAbandoned) await rm(lock, { force: true, recursive: true }).catch(() => {});
  return false;
}

/** Removes the temporary files that killed runs left in a folder. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const isLeft = (name: string) => {
    const [, id] = TEMPORARY.exec(name) ?? [];
    return id !== undefined && !isRunning(Number(id));
  };
  await Promise.all(names.filter(isLeft).map((name) => rm(join(folder, name), { force: true }).catch(() => {})));
}

/** The names of temporary files, which contain the process ID. */
const TEMPORARY = /^\.skill-composer-(\d+)-[0-9a-f]{12}\.tmp$/;

function isRunning(id: number): boolean {
  try {
    // Signal 0 only checks that the process exists.
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Writes a temporary file, and renames it if the file still has the old text. */
async function exchange(
  path: string,
  { uid, gid, mode }: Stats,
  old: string,
  text: string,
): Promise<'written' | 'changed'> {
  const temporary = join(dirname(path), `.skill-composer-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      // Only an administrator may change the owner of a file.
      await file.chown(uid, gid).catch(() => {});
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    return await alone(path, async (isOurs) => {
      if (!(await inFile(path, O_RDONLY, (now) => has(now, old))) || !(await isOurs())) return 'changed';
      await rename(temporary, path);
      return 'written';
    });
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

/** Overwrites the file in place. If that fails, as on a full disk, it restores the old text. */
const overwrite = (path: string, old: string, text: string): Promise<'written' | 'changed'> =>
  alone(path, (isOurs) =>
    inFile(path, O_RDWR, async (file) => {
      if (!(await has(file, old)) || !(await isOurs())) return 'changed';
      try {
        await setText(file, text);
      } catch (error) {
        await setText(file, old);
        throw error;
      }
      return 'written';
    }),
  );

async function setText(file: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await file.truncate(bytes.length);
  await file.sync();
}

async function has(file: FileHandle, text: string): Promise<boolean> {
  const bytes = Buffer.from(text);
  const now = await readHandle(file, bytes.length);
  return now?.equals(bytes) === true;
}

async function inFile<T>(path: string, flags: number, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags | O_NONBLOCK | O_NOFOLLOW);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Appends to a regular file, or creates it. */
export async function appendText(path: string, text: string): Promise<void> {
  const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
