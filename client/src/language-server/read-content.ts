/** Reads a file for a server without a file system, as its own hosts do: regular files, up to a limit, as UTF-8 or not at all. */
import type { FileStat, FileSystem, FileType, Uri } from 'vscode';
import { type FileContent, MAX_FILE_BYTES } from '../../../server/src/protocol.ts';

const FILE: FileType.File = 1;
const FOLDER: FileType.Directory = 2;

export async function readContent(fs: Pick<FileSystem, 'stat' | 'readFile'>, uri: Uri): Promise<FileContent> {
  try {
    const reason = reasonToRefuse(await fs.stat(uri));
    if (reason) return { kind: 'unreadable', reason };
    const bytes = await fs.readFile(uri);
    if (bytes.length > MAX_FILE_BYTES) return { kind: 'unreadable', reason: 'too-large' };
    return textOf(bytes);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    // The file may have been deleted since it was found.
    if (code === 'FileNotFound') return { kind: 'absent' };
    return { kind: 'unreadable', reason: code === 'NoPermissions' ? 'denied' : 'failed' };
  }
}

function reasonToRefuse({ type, size }: FileStat) {
  if ((type & FOLDER) !== 0) return 'folder';
  if ((type & FILE) === 0) return 'special';
  return size > MAX_FILE_BYTES ? 'too-large' : undefined;
}

function textOf(bytes: Uint8Array): FileContent {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'unreadable', reason: 'not-utf8' };
  }
}
