/**
 * Reads a file for a server without a file system. Supports only regular files up to a size limit, and only UTF-8 text.
 */
import type { FileStat, FileSystem, FileType, Uri } from 'vscode';
import { type BytesContent, type FileContent, MAX_FILE_BYTES } from '../../../server/src/protocol.ts';

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
