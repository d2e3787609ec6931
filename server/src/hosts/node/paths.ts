/** Paths of this machine, and their URIs. */
import { stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { URI } from 'vscode-uri';

/** A path as VS Code writes its URI, so that an open buffer and the file on disk have the same one. */
export const toUri = (path: string): string => URI.file(path).toString();

/** The path of such a URI. */
export const toPath = (uri: string): string => URI.parse(uri).fsPath;

/** A path as that of its URI, so that equal ones are the same text: on Windows a drive has one letter. */
export const absolute = (...words: readonly string[]): string => toPath(toUri(resolve(...words)));

/** Whether a path is a folder or below it, by its words alone. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

export const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
