/**
 * Reads and writes files for a server without a file system. Reads only regular files up to a size limit, and only UTF-8
 * text. If a change fails, undoes all earlier changes.
 */
import type { FileStat, FileSystem, FileType, Uri } from 'vscode';
import {
  type BytesContent,
  type FileContent,
  MAX_FILE_BYTES,
  type WriteTreeParams,
  type WriteTreeReply,
} from '../../../server/src/protocol.ts';
import { errorMessage } from '../plain-message.ts';

const FILE: FileType.File = 1;
const FOLDER: FileType.Directory = 2;
const LINK: FileType.SymbolicLink = 64;

type Reader = Pick<FileSystem, 'stat' | 'readFile'>;

export async function readContent(fs: Reader, uri: Uri): Promise<FileContent> {
  const content = await readRegular(fs, uri, MAX_FILE_BYTES);
  return content.kind === 'bytes' ? textOf(content.bytes) : content;
}

/** Returns the bytes of a regular file. Does not follow symbolic links. */
export const readBytes = (fs: Reader, uri: Uri, most: number): Promise<BytesContent> =>
  readRegular(fs, uri, most, ({ type }) => ((type & LINK) !== 0 ? 'outside' : undefined));

async function readRegular(
  fs: Reader,
  uri: Uri,
  most: number,
  refuse: (stat: FileStat) => 'outside' | undefined = () => undefined,
): Promise<BytesContent> {
  try {
    const stat = await fs.stat(uri);
    const reason = refuse(stat) ?? reasonToRefuse(stat, most);
    if (reason) return { kind: 'unreadable', reason };
    const bytes = await fs.readFile(uri);
    return bytes.length > most ? { kind: 'unreadable', reason: 'too-large' } : { kind: 'bytes', bytes };
  } catch (error) {
    const { code } = error as { readonly code?: string };
    // The file may have been deleted since it was found.
    if (code === 'FileNotFound') return { kind: 'absent' };
    return { kind: 'unreadable', reason: code === 'NoPermissions' ? 'denied' : 'failed' };
  }
}

function reasonToRefuse({ type, size }: FileStat, most: number) {
  if ((type & FOLDER) !== 0) return 'folder';
  if ((type & FILE) === 0) return 'special';
  return size > most ? 'too-large' : undefined;
}

function textOf(bytes: Uint8Array): FileContent {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'unreadable', reason: 'not-utf8' };
  }
}

type Files = Pick<FileSystem, 'stat' | 'readFile' | 'writeFile' | 'delete' | 'readDirectory'>;

/**
 * Writes the files in `write` in order, then removes those in `remove`. `at` returns the URI of a path. Never throws.
 */
export async function writeTree(
  fs: Files,
  at: (path: string) => Uri,
  { write, remove }: Omit<WriteTreeParams, 'folder'>,
): Promise<WriteTreeReply> {
  const undo: (() => Thenable<void>)[] = [];
  try {
    for (const path of [...write.map(({ path }) => path), ...remove]) await assertNothingInTheWay(fs, at, path);
    for (const { path, bytes } of write) {
      const old = await contentOf(fs, at(path));
      // A failed write can leave a partial file.
      undo.unshift(old ? () => fs.writeFile(at(path), old) : await removing(fs, at, path));
      await fs.writeFile(at(path), bytes);
    }
    for (const path of remove) {
      const old = await contentOf(fs, at(path));
      if (!old) continue;
      undo.unshift(() => fs.writeFile(at(path), old));
      await fs.delete(at(path));
    }
  } catch (error) {
    return { problem: await undone(undo, errorMessage(error)) };
  }
  for (const path of remove) await removeEmptyAbove(fs, at, path);
  return { problem: null };
}

async function undone(undo: readonly (() => Thenable<void>)[], problem: string): Promise<string> {
  let failed = 0;
  for (const step of undo) {
    try {
      await step();
    } catch {
      failed++;
    }
  }
  return failed === 0 ? problem : `${problem}; files that could not be restored: ${failed}`;
}

async function assertNothingInTheWay(fs: Files, at: (path: string) => Uri, path: string): Promise<void> {
  for (const folder of foldersAbove(path)) {
    const type = await typeOf(fs, at(folder));
    if (type === undefined) return;
    if (type !== FOLDER) throw new Error(`\`${folder}\` is a link or a file, not a folder`);
  }
  const type = await typeOf(fs, at(path));
  if (type !== undefined && type !== FILE) throw new Error(`\`${path}\` is a link or a folder`);
}

/** Returns a function that removes the file, or the outermost folder that did not exist before the file was written. */
async function removing(fs: Files, at: (path: string) => Uri, path: string): Promise<() => Promise<void>> {
  let made = path;
  for (const folder of foldersAbove(path)) {
    if ((await typeOf(fs, at(folder))) !== undefined) continue;
    made = folder;
    break;
  }
  return async () => {
    if ((await typeOf(fs, at(made))) !== undefined) await fs.delete(at(made), { recursive: true });
  };
}

async function removeEmptyAbove(fs: Files, at: (path: string) => Uri, path: string): Promise<void> {
  for (const folder of foldersAbove(path).reverse()) {
    try {
      if ((await fs.readDirectory(at(folder))).length > 0) return;
      await fs.delete(at(folder));
    } catch {
      return;
    }
  }
}

/** Returns the folders of a path, the outermost first. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

async function contentOf(fs: Files, uri: Uri): Promise<Uint8Array | undefined> {
  return (await typeOf(fs, uri)) === undefined ? undefined : fs.readFile(uri);
}

/** Returns the type of a file; undefined if it does not exist. Rejects if the type cannot be read. */
async function typeOf(fs: Files, uri: Uri): Promise<FileType | undefined> {
  try {
    return (await fs.stat(uri)).type;
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'FileNotFound') return undefined;
    throw error;
  }
}
