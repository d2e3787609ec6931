/** The one way to the content of a file: without waiting, of regular files alone, with a limit, and as UTF-8 or not at all. */
import { isUtf8 } from 'node:buffer';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { FileLink } from '../../agent-skills/subject.ts';
import { MAX_FILE_BYTES } from '../../protocol/files.ts';
import type { FileContent } from '../../protocol.ts';
import type { Unreadable } from '../../workspace/unreadable.ts';
import type { LinkScope } from '../files/files.ts';
import { isWithin, toPath, toUri } from './paths.ts';

type Content = Extract<FileContent, { kind: 'text' | 'unreadable' }>;

/** Windows has neither: opening never waits there, and links are told by `lstat`. */
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/** Reads a file that was found. Of a link only what the scope allows is read. */
export async function readFound(path: string, scope: LinkScope): Promise<FileContent> {
  try {
    const stats = await lstat(path);
    return stats.isSymbolicLink() ? await readLinked(path, scope) : await readRegular(path, stats, O_NOFOLLOW);
  } catch (error) {
    const content = contentOf(error);
    return content.kind === 'absent' && (await hasBrokenName(path)) ? unreadable('name') : content;
  }
}

/** Reads a file that the user has named; links are followed wherever they lead. */
export async function readNamed(path: string): Promise<FileContent> {
  try {
    return await readRegular(path, await stat(path), 0);
  } catch (error) {
    return contentOf(error);
  }
}

/** The bytes of a regular file, with its mode; through no link, and not of a file that is longer than `most`. */
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

/** Bytes as a file's text. */
export const textOf = (bytes: Buffer): Content =>
  isUtf8(bytes) ? { kind: 'text', text: bytes.toString('utf8') } : unreadable('not-utf8');

/** Whether anything has this name, be it a link to nothing. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Which of a file and its folder is a symbolic link, and the file below the folders that it leads to. Opens nothing. */
export async function linkAt(path: string, folders: readonly string[]): Promise<FileLink | undefined> {
  const isLink = (one: string): Promise<boolean> =>
    lstat(one).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
  const [folder, file] = await Promise.all([isLink(dirname(path)), isLink(path)]);
  if (!folder && !file) return undefined;
  const real = await realpath(path).catch(() => undefined);
  const target = real === undefined ? undefined : await findBelow(real, folders);
  return { folder, file, ...(target !== undefined && { target }) };
}

/** All that can be read through a handle; undefined where it is more than the limit. */
export async function readHandle(file: FileHandle, size: number, most = MAX_FILE_BYTES): Promise<Buffer | undefined> {
  // A file may be longer than it says, and one that grows does not end.
  let bytes = Buffer.alloc(Math.min(size, most) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    length += bytesRead;
    if (length > most) return undefined;
    // Some files give less than they have, or say that they are empty; one that has given its size, and no more, has ended.
    const isWhole = length < bytes.length && length === size && size > 0;
    if (bytesRead === 0 || isWhole) return bytes.subarray(0, length);
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(length * 2 + 4096, most + 1));
  }
}

async function readLinked(path: string, { folders, readsItself }: LinkScope): Promise<FileContent> {
  let real: string;
  try {
    real = await realpath(path);
  } catch (error) {
    const content = contentOf(error);
    // What comes to stand there one day concerns the link.
    const target = toUri(resolve(dirname(path), await readlink(path)));
    return unreadable(content.kind === 'unreadable' ? content.reason : 'dangling', target);
  }
  const target = await findBelow(real, folders);
  if (target === undefined) return unreadable('outside');
  if (readsItself(target)) return { kind: 'same', target };
  const content = await readRegular(real, await lstat(real), O_NOFOLLOW);
  return { ...content, target };
}

/** The URI of a real path below one of the folders, as it is found from there. */
async function findBelow(real: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders.map(toPath)) {
    const realFolder = await realpath(folder).catch(() => folder);
    if (isWithin(realFolder, real)) return toUri(join(folder, relative(realFolder, real)));
  }
  return undefined;
}

async function readRegular(path: string, stats: Stats, flags: number): Promise<Content> {
  // A device is not even opened; what is opened may have been exchanged in between.
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

/** A name that is not UTF-8 is given with replacement characters, by which the file cannot be opened. */
const hasBrokenName = async (path: string): Promise<boolean> =>
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

// Reads long files that the user has named, one line after the other.

/** A line that is longer is no line of data. */
const MAX_LINE = 1 << 20;
const MAX_LINES = 1_000_000;

/** Calls `take` with each line that is not blank, and its number from 1. Throws with a plain sentence where it cannot go on. */
export async function readLines(path: string, take: (line: string, number: number) => void): Promise<void> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is no regular file');
    let number = 0;
    for await (const line of createInterface({
      input: file.createReadStream({ encoding: 'utf8' }),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      number++;
      if (line.length > MAX_LINE) throw new Error(`its line ${number} is longer than a line of data can be`);
      if (number > MAX_LINES) throw new Error(`it has more than ${MAX_LINES} lines`);
      if (line.trim() !== '') take(line, number);
    }
  } finally {
    await file.close().catch(() => undefined);
  }
}
