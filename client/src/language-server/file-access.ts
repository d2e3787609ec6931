/**
 * Reads and writes files for a server without a file system. Reads only regular files up to a size limit, and only UTF-8
 * text. If a change fails, undoes all earlier changes. Another extension may provide the file system, so that it may
 * throw any value, return values of any type, or never answer.
 */
import type { FileStat, FileSystem, FileType, Uri } from 'vscode';
import {
  type BytesContent,
  type FileContent,
  type ListedEntry,
  MAX_FILE_BYTES,
  type WriteTreeParams,
  type WriteTreeReply,
} from '../../../server/src/protocol.ts';
import { errorMessage } from '../plain-message.ts';

const FILE: FileType.File = 1;
const FOLDER: FileType.Directory = 2;
const LINK: FileType.SymbolicLink = 64;

/** The time limit for each answer of a file system. */
const TIMEOUT_MILLISECONDS = 60_000;

/** Returns the answer of a file system. Rejects if it throws an error or does not answer. */
async function answerOf<Answer>(ask: () => Thenable<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the file system does not answer')), TIMEOUT_MILLISECONDS);
  });
  try {
    return await Promise.race([ask(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null | undefined)?.code;

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
    const stat = await answerOf(() => fs.stat(uri));
    const reason = refuse(stat) ?? reasonToRefuse(stat, most);
    if (reason) return { kind: 'unreadable', reason };
    const bytes: unknown = await answerOf(() => fs.readFile(uri));
    if (!(bytes instanceof Uint8Array)) return { kind: 'unreadable', reason: 'failed' };
    return bytes.length > most ? { kind: 'unreadable', reason: 'too-large' } : { kind: 'bytes', bytes };
  } catch (error) {
    const code = codeOf(error);
    // The file may have been deleted since it was found.
    if (code === 'FileNotFound') return { kind: 'absent' };
    return { kind: 'unreadable', reason: code === 'NoPermissions' ? 'denied' : 'failed' };
  }
}

/** Returns whether a file exists. */
export const fileExists = (fs: Pick<FileSystem, 'stat'>, uri: Uri): Promise<boolean> =>
  answerOf(() => fs.stat(uri)).then(
    () => true,
    () => false,
  );

/** Returns the entries of a folder; an empty list if it cannot be read. Leaves out entries without a valid name. */
export async function listFolder(fs: Pick<FileSystem, 'readDirectory'>, uri: Uri): Promise<readonly ListedEntry[]> {
  try {
    const entries = await answerOf(() => fs.readDirectory(uri));
    return entries.flatMap((entry) => (isName(entry?.[0]) ? [{ name: entry[0], kind: kindOf(entry[1]) }] : []));
  } catch {
    return [];
  }
}

/** Returns false for a name that leads to another folder or that no URI can contain. */
const isName = (name: unknown): name is string =>
  typeof name === 'string' && !/^\.{0,2}$|[\\/\0]|\p{Surrogate}/u.test(name);

function kindOf(type: FileType): ListedEntry['kind'] {
  if ((type & LINK) !== 0) return 'link';
  if (type === FOLDER) return 'folder';
  return type === FILE ? 'file' : 'other';
}

/** Returns the URI of a path in a folder, which may be the root of its file system. */
export function uriIn(folder: Uri, path: string): Uri {
  const root = folder.path.replace(/\/$/, '');
  return folder.with({ path: path === '' ? root || '/' : `${root}/${path}` });
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
    return {
      ...{ kind: 'unreadable', reason: 'not-utf8' },
      replaced: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
    };
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
    for (const path of [...write.map(({ path }) => path), ...remove]) await assertNoFileInPath(fs, at, path);
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

async function assertNoFileInPath(fs: Files, at: (path: string) => Uri, path: string): Promise<void> {
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
  return (await typeOf(fs, uri)) === undefined ? undefined : answerOf(() => fs.readFile(uri));
}

/** Returns the type of a file; undefined if it does not exist. Rejects if the type cannot be read. */
async function typeOf(fs: Files, uri: Uri): Promise<FileType | undefined> {
  try {
    const { type }: { readonly type?: unknown } = await answerOf(() => fs.stat(uri));
    if (typeof type !== 'number') throw new Error('the file system reports no file type');
    return type;
  } catch (error) {
    if (codeOf(error) === 'FileNotFound') return undefined;
    throw error;
  }
}
