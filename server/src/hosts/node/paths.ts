/** Handles file system paths and their URIs. */
import { stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { URI } from 'vscode-uri';

/** Returns the URI of a path as VS Code writes URIs, so that an open buffer and the file have the same URI. */
export const toUri = (path: string): string => URI.file(path).toString();

/** Returns the path of a `file:` URI. */
export const toPath = (uri: string): string => URI.parse(uri).fsPath;

/** Returns an absolute path in one canonical form. On Windows, the drive letter always has the same case. */
export const absolute = (...words: readonly string[]): string => toPath(toUri(resolve(...words)));

/** Returns whether a path is a folder or below it. Compares only the strings and resolves no links. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
