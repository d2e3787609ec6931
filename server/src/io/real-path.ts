/** Finds where paths are after symbolic links are resolved, and refuses paths outside the folders that may be written. */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findPath, isWithin } from './paths.ts';
import { outsideWorkspace, reasonOf, UserError } from './user-error.ts';

/**
 * Returns the path without symbolic links of a file or a folder that may not exist yet; undefined if a part of the path
 * is a link to nothing, because a file created through it could be anywhere. Rejects with the system's error.
 */
export async function realPathOf(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (real !== undefined) return real;
  if ((await lstat(path).catch(() => undefined))?.isSymbolicLink()) return undefined;
  const above = await realPathOf(dirname(path));
  return above === undefined ? undefined : join(above, basename(path));
}

/**
 * Returns whether a path is in one of some folders, as it is written or after links are resolved. A folder that is a
 * root of the file system does not count.
 */
export async function isReallyWithin(folders: readonly string[], path: string): Promise<boolean> {
  const named = async (one: string): Promise<readonly string[]> => [one, await realpath(one).catch(() => one)];
  const [paths, above] = [await named(path), (await Promise.all(folders.map(named))).flat()];
  return above.some((folder) => dirname(folder) !== folder && paths.some((one) => isWithin(folder, one)));
}

/**
 * Throws a `UserError` if a path is not below one of some folders, nor one of them, after links are resolved. The
 * message contains `shown`.
 */
export type AssertInside = (path: string, shown?: string) => Promise<void>;

/** `folders` returns the URIs of the workspace folders. One of them may itself be a link. */
export const assertInsideOf =
  (folders: () => readonly string[]): AssertInside =>
  async (path, shown = path) => {
    const real = await realPathOf(path).catch((error: unknown) => {
      throw new UserError(`\`${shown}\` cannot be written: ${reasonOf(error)}.`);
    });
    const roots = await Promise.all(folders().map((uri) => realpath(findPath(uri) ?? '').catch(() => undefined)));
    if (real !== undefined && roots.some((root) => root !== undefined && isWithin(root, real))) return;
    throw outsideWorkspace(shown);
  };
