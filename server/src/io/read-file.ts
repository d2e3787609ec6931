/** Reads files: only regular files, never blocking, with a size limit, and only valid UTF-8. */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { FileLink } from '../clients/matrix/subject.ts';
import { MAX_FILE_BYTES } from '../protocol/files.ts';
import type { FileContent } from '../protocol.ts';
import type { Unreadable } from '../workspace/unreadable.ts';
import type { LinkScope } from './files.ts';
import { findPath, isWithin, toUri } from './paths.ts';

type Content = Extract<FileContent, { kind: 'text' | 'unreadable' }>;

/** Windows has neither `O_NONBLOCK` nor `O_NOFOLLOW`: on Windows, opening never blocks, and `lstat` detects links. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/** Reads a file that a search found. Follows a link only if the scope allows it. */
export async function readFound(path: string, scope: LinkScope): Promise<FileContent> {
  try {
    const stats = await lstat(path);
    return stats.isSymbolicLink() ? await readLinked(path, scope) : await readRegular(path, stats, O_NOFOLLOW);
  } catch (error) {
    const content = contentOf(error);
    return content.kind === 'absent' && (await hasBrokenName(path)) ? unreadable('name') : content;
  }
}

/**
 * Reads a regular file without waiting. Returns undefined for any other path, and for a file that cannot be read in one piece;
 * `readFound` then reads it.
 */
export function readPlain(path: string): FileContent | undefined {
  let file: number | undefined;
  try {
    if (reasonToRefuse(lstatSync(path)) !== undefined) return undefined;
    file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const opened = fstatSync(file);
    if (reasonToRefuse(opened) !== undefined || opened.size === 0) return undefined;
    const bytes = Buffer.allocUnsafe(opened.size + 1);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return length === opened.size ? textOf(bytes.subarray(0, length)) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Reads a file that the user named. Follows all links. */
export async function readNamed(path: string): Promise<FileContent> {
  try {
    return await readRegular(path, await stat(path), 0);
  } catch (error) {
    return contentOf(error);
  }
}

/** Reads the bytes and the mode of a regular file. Refuses a link, and a file of more than `most` bytes. */
export async function readBytes(
  path: string,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly mode: number } | Unreadable | 'absent'> {
  try {
    const stats = await lstat(path);
    const reason = stats.isSymbolicLink() ? 'outside' : reasonToRefuse(stats, most);
    if (reason) return reason;
    const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      const opened = await file.stat();
      const late = reasonToRefuse(opened, most);
      if (late) return late;
      const bytes = await readHandle(file, opened.size, most);
      return bytes ? { bytes, mode: opened.mode } : 'too-large';
    } finally {
      await file.close();
    }
  } catch (error) {
    const content = contentOf(error);
    return content.kind === 'unreadable' ? content.reason : 'absent';
  }
}

/** Returns the content for the bytes of a file: its text, or `not-utf8` with U+FFFD for each other byte. */
export const textOf = (bytes: Buffer): Content => {
  const text = bytes.toString('utf8');
  return isUtf8(bytes) ? { kind: 'text', text } : { kind: 'unreadable', reason: 'not-utf8', replaced: text };
};

/** Reads the real file of a link. Refuses another link in its place. Never throws. */
export const readTarget = async (real: string): Promise<FileContent> =>
  lstat(real)
    .then((stats) => readRegular(real, stats, O_NOFOLLOW))
    .catch(contentOf);

/** Returns whether a path exists, including a link to a missing file. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Returns which names of a path below one of the folders are symbolic links, and the real file; undefined if none is. In a
 * path outside of the folders, only the last two names are considered. Opens no file.
 */
export async function linkAt(path: string, folders: readonly string[]): Promise<FileLink | undefined> {
  const isLink = (one: string): Promise<boolean> =>
    lstat(one).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
  const root = folders.find((folder) => isWithin(folder, path)) ?? dirname(dirname(path));
  const paths = [path];
  for (let one = dirname(path); one !== root && isWithin(root, one); one = dirname(one)) paths.unshift(one);
  const links = await Promise.all(paths.map(isLink));
  const first = paths[links.indexOf(true)];
  if (first === undefined) return undefined;
  const real = await realpath(path).catch(() => undefined);
  const target = real === undefined ? undefined : ((await findBelow(real, folders)) ?? toUri(real));
  const file = links.at(-1) === true;
  const folder = links.slice(0, -1).includes(true);
  return { folder, file, first: toUri(first), ...(target !== undefined && { target }) };
}

/** The longest text of a link that was checked out as text, in bytes. */
const LONGEST_LINK = 500;

/**
 * Returns the target of a symbolic link as written, or the only path in a file, because git writes links as text on
 * systems without links; undefined for other files.
 */
export async function linkText(
  path: string,
): Promise<{ readonly target: string; readonly isText: boolean } | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink()) return { target: await readlink(path).catch(() => ''), isText: false };
  if (!stats?.isFile() || stats.size === 0 || stats.size > LONGEST_LINK) return undefined;
  const content = await readRegular(path, stats, O_NOFOLLOW);
  const target = content.kind === 'text' ? (/^\.{1,2}\/[^\r\n]+(?=[\r\n]*$)/.exec(content.text)?.[0] ?? '') : '';
  return target === '' ? undefined : { target, isText: true };
}

/** Reads a whole file. Returns undefined if it has more than `most` bytes. */
export async function readHandle(file: FileHandle, size: number, most = MAX_FILE_BYTES): Promise<Buffer | undefined> {
  // A file may be longer than its reported size, and may grow while it is read.
  let bytes = Buffer.alloc(Math.min(size, most) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    length += bytesRead;
    if (length > most) return undefined;
    // A read may return fewer bytes than remain. The file is complete if its length is the reported size. Special files
    // report the size 0, so these files are read until no bytes follow.
    const isWhole = length < bytes.length && length === size && size > 0;
    if (bytesRead === 0 || isWhole) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(length * 2 + 4096, most + 1));
  }
}

async function readLinked(path: string, { folders, isReadDirectly }: LinkScope): Promise<FileContent> {
  let real: string;
  try {
    real = await realpath(path);
  } catch (error) {
    const content = contentOf(error);
    // The target may be created later.
    const target = toUri(resolve(dirname(path), await readlink(path)));
    return unreadable(content.kind === 'unreadable' ? content.reason : 'dangling', target);
  }
  const target = await findBelow(real, folders);
  if (target === undefined) return unreadable('outside');
  if (isReadDirectly(target)) return { kind: 'same', target };
  const content = await readRegular(real, await lstat(real), O_NOFOLLOW);
  return { ...content, target };
}

/**
 * Returns the URI of a real path below one of the folders; undefined for other paths. The URI begins with the path
 * of the folder as given, not with its real path.
 */
async function findBelow(real: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders.flatMap((one) => findPath(one) ?? [])) {
    const realFolder = await realpath(folder).catch(() => folder);
    if (isWithin(realFolder, real)) return toUri(join(folder, relative(realFolder, real)));
  }
  return undefined;
}

async function readRegular(path: string, stats: Stats, flags: number): Promise<Content> {
  // Opening a device may have effects, so the file is checked before it is opened. The open file is checked
  // again, because another program may have replaced the file in the meantime.
  const reason = reasonToRefuse(stats);
  if (reason) return unreadable(reason);
  const file = await open(path, O_RDONLY | O_NONBLOCK | flags);
  try {
    const opened = await file.stat();
    const late = reasonToRefuse(opened);
    if (late) return unreadable(late);
    const bytes = await readHandle(file, opened.size);
    return bytes ? textOf(bytes) : unreadable('too-large');
  } finally {
    await file.close();
  }
}

function reasonToRefuse(stats: Stats, most = MAX_FILE_BYTES): Unreadable | undefined {
  if (stats.isDirectory()) return 'folder';
  if (!stats.isFile()) return 'special';
  return stats.size > most ? 'too-large' : undefined;
}

/**
 * Returns whether the name of a file or folder is not valid UTF-8. Node cannot open it, because Node replaces the
 * invalid bytes.
 */
export const hasBrokenName = async (path: string): Promise<boolean> =>
  path.includes('\ufffd') && (await readdir(dirname(path)).catch((): string[] => [])).includes(basename(path));

const unreadable = (reason: Unreadable, target?: string): Content =>
  target === undefined ? { kind: 'unreadable', reason } : { kind: 'unreadable', reason, target };

function contentOf(error: unknown): Content | { readonly kind: 'absent' } {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
  if (code === 'EACCES' || code === 'EPERM') return unreadable('denied');
  if (code === 'ELOOP') return unreadable('loop');
  return unreadable(code === 'EISDIR' ? 'folder' : 'failed');
}

// Reads long files that the user named, line by line.

/** The maximum length of a line, in UTF-16 code units. */
const MAX_LINE = 1 << 20;
const MAX_LINES = 1_000_000;

/**
 * Calls `take` with each line that is not empty, and with its number, counted from 1. Throws an error with a message
 * for the user.
 */
export async function readLines(path: string, take: (line: string, number: number) => void): Promise<void> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
    let number = 0;
    for await (const line of createInterface({
      input: file.createReadStream({ encoding: 'utf8' }),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      number++;
      if (line.length > MAX_LINE) throw new Error(`line ${number} has more than ${MAX_LINE} characters`);
      if (number > MAX_LINES) throw new Error(`it has more than ${MAX_LINES} lines`);
      if (line.trim() !== '') take(line, number);
    }
  } finally {
    await file.close().catch(() => undefined);
  }
}
