/** Writes files atomically, and never overwrites changes that other programs made in the meantime. */
import { createHash, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isThere, readHandle } from './read-file.ts';

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

/**
 * Creates a file and the folders above it. The file has its whole text from the beginning. Rejects with `EEXIST` if the
 * path already exists.
 */
export const createFile = (path: string, text: string): Promise<void> => writeThenMove(path, text, giveName);

/** Moves a file to a path that must be free. Rejects with `EEXIST` if it is not. */
export async function giveName(from: string, to: string): Promise<void> {
  const isLinked = await link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' || error.code === 'ENOENT') throw error;
      return false;
    },
  );
  if (isLinked) return unlink(from);
  // Some file systems have no hard links.
  if (await isThere(to)) throw Object.assign(new Error('it already exists'), { code: 'EEXIST' });
  await rename(from, to);
}

/** Writes a file atomically. Overwrites an existing file. */
export const replaceBytes = (path: string, bytes: Uint8Array): Promise<void> => writeThenMove(path, bytes, rename);

/** Writes a temporary file beside `path`, and moves it there with `move`. Creates the folders above it. */
async function writeThenMove(
  path: string,
  content: string | Uint8Array,
  move: (from: string, to: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = temporaryBeside(path);
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    await move(temporary, path);
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

const temporaryBeside = (path: string): string =>
  join(dirname(path), `.skill-composer-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);

/** Removes a file that has this text. Returns `changed` or rejects in the same cases as `replaceFile`. */
export const removeFile = (path: string, old: string): Promise<'removed' | 'changed'> =>
  alone(path, async ({ isOurs }) => {
    const stats = await lstat(path).catch(() => undefined);
    if (!stats?.isFile() || !(await inFile(path, O_RDONLY, (file) => has(file, old)))) return 'changed';
    if (!(await isOurs())) return 'changed';
    await rm(path);
    return 'removed';
  });

// Locks, which let only one process at a time change a file or a folder.

/** The age after which a lock counts as abandoned if its process is unknown, and if its process is running. */
const ABANDONED_MS = 30_000;
const STUCK_MS = 600_000;

export interface HeldLock {
  /** Returns whether this process still has the lock, and renews it. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

/** Returns the path of the lock of a file or folder. */
export function lockOf(path: string): string {
  const name = createHash('sha256').update(basename(path)).digest('hex').slice(0, 12);
  return join(dirname(path), `.skill-composer-lock-${name}.tmp`);
}

/**
 * Runs `work` while this process holds the lock of a file. Returns `changed` if another process holds the lock. A
 * process that was paused may have lost its lock, so `work` must call `isOurs` immediately before it changes anything.
 */
export async function alone<Result>(
  path: string,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result | 'changed'> {
  const lock = lockOf(path);
  const owner = `${process.pid} ${hostname()} ${randomBytes(12).toString('hex')}`;
  const isOurs = (): Promise<boolean> =>
    inFile(lock, O_RDONLY, async (file) => {
      if (!(await has(file, owner))) return false;
      await file.utimes(new Date(), new Date()).catch(() => {});
      return true;
    }).catch(() => false);
  const release = async (): Promise<void> => {
    if (await isOurs()) await rm(lock, { force: true }).catch(() => {});
  };
  if (!(await isTaken(lock, owner))) return 'changed';
  try {
    return await work({ isOurs, release });
  } finally {
    await release();
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
  if (stats && (await isAbandoned(lock, stats))) await removeLock(lock, stats);
  return false;
}

/** Returns whether the owner of a lock has ended. A time in the future, a folder and a link count as abandoned, too. */
async function isAbandoned(lock: string, stats: Stats): Promise<boolean> {
  if (!stats.isFile()) return true;
  const age = Date.now() - stats.mtimeMs;
  const id = await ownerOf(lock);
  const isEnded = id !== undefined && !isRunning(id);
  return isEnded || age < -ABANDONED_MS || age > (id === undefined ? ABANDONED_MS : STUCK_MS);
}

/** Returns the ID of the process that has a lock; undefined if it is unknown or runs on another machine. */
export async function ownerOf(lock: string): Promise<number | undefined> {
  const text = await inFile(lock, O_RDONLY, (file) => readHandle(file, 0, 400)).catch(() => undefined);
  const [, id, host] = /^(\d+) (\S+) [0-9a-f]{24}$/.exec(text?.toString() ?? '') ?? [];
  return host === hostname() ? Number(id) : undefined;
}

/** Removes an abandoned lock, but not a lock that another process has acquired in the meantime. */
async function removeLock(lock: string, { ino }: Stats): Promise<void> {
  const aside = temporaryBeside(lock);
  try {
    await rename(lock, aside);
    if ((await lstat(aside)).ino !== ino) await giveName(aside, lock);
  } catch {
    // Another process was faster.
  } finally {
    await rm(aside, { force: true, recursive: true }).catch(() => {});
  }
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
  const temporary = temporaryBeside(path);
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
    return await alone(path, async ({ isOurs }) => {
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
  alone(path, ({ isOurs }) =>
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
