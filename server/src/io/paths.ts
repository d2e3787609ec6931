/** Handles file system paths and their URIs. */
import { stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { URI } from 'vscode-uri';
import { UserError } from './user-error.ts';

/** The number of characters after which a path is not searched folder by folder. No file of Linux or macOS has a longer path. */
export const LONGEST_PATH = 4096;

/** Returns the URI of a path as VS Code writes URIs, so that an open buffer and the file have the same URI. */
export const toUri = (path: string): string => URI.file(path).toString();

/** Returns the path of a `file:` URI. Throws a `UserError` if the URI does not name a file of this computer. */
export function toPath(uri: string): string {
  const path = findPath(uri);
  if (path === undefined)
    throw new UserError(
      `\`${uri}\` is not a file on this computer. Use a path, or a URI that begins with \`file:///\`.`,
    );
  return path;
}

/**
 * Returns the path of a `file:` URI; undefined if the URI does not name a file of this computer, such as `file://host/x`. On
 * Windows, a host is allowed, because editors open shared folders with such URIs.
 */
export function findPath(uri: string): string | undefined {
  try {
    const { authority, path, fsPath } = URI.parse(uri);
    const isLocal = authority === '' ? !/^\/[\\/]/.test(path) : process.platform === 'win32';
    if (!/^file:/i.test(uri) || !isLocal || path.includes('\0')) return undefined;
    // On Windows, `c:` is the working folder of the drive, and `c:\\` is its root.
    return /^\/[a-z]:$/i.test(path) ? `${fsPath}${sep}` : fsPath;
  } catch {
    return undefined;
  }
}

/** Returns an absolute path in one canonical form. On Windows, the drive letter always has the same case. */
export const absolute = (...words: readonly string[]): string => toPath(toUri(resolve(...words)));

/** Returns whether a path is a folder or below it. Compares only the strings and resolves no links. */
export function isWithin(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return !isAbsolute(relativePath) && relativePath !== '..' && !relativePath.startsWith(`..${sep}`);
}

/** Returns whether a word that should be a path is a URI. A drive letter is not a scheme. */
export const isUri = (word: string): boolean => /^[a-z][a-z0-9+.-]+:[\\/]/i.test(word);

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
