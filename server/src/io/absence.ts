/** Why git has not checked out a file that is missing on disk. */
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { NotCheckedOut } from '../workspace/workspace-index.ts';
import { gitFor } from './git.ts';
import { isWithin } from './paths.ts';
import { isThere, readNamed } from './read-file.ts';

/**
 * Returns why a missing file is not checked out: it is in a submodule whose folder is empty, or outside of the sparse checkout of
 * its repository. Undefined if neither is the case. Never throws.
 *
 * @param path an absolute path at which no file is
 */
export async function absenceOf(path: string): Promise<NotCheckedOut | undefined> {
  const folder = await existingAbove(path);
  const root = folder === undefined ? undefined : await repositoryOf(folder);
  if (folder === undefined || root === undefined) return undefined;
  if (await isInSubmodule(root, folder, path)) return 'submodule';
  return (await isOutsideSparse(root, path)) ? 'sparse' : undefined;
}

/** Returns the nearest folder above a path that exists. */
async function existingAbove(path: string): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stats = await lstat(folder).catch(() => undefined);
    if (stats) return stats.isDirectory() ? folder : undefined;
    if (folder === dirname(folder)) return undefined;
  }
}

async function repositoryOf(start: string): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    if (await isThere(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Returns whether the repository has a submodule above a path, and its folder is empty or missing. */
async function isInSubmodule(root: string, folder: string, path: string): Promise<boolean> {
  const modules = await readNamed(join(root, '.gitmodules'));
  if (modules.kind !== 'text') return false;
  const paths = [...modules.text.matchAll(/^\s*path\s*=\s*"?([^"\r\n]+?)"?\s*$/gm)].map(([, one = '']) =>
    join(root, one),
  );
  const own = paths.find((one) => one !== root && isWithin(root, one) && isWithin(one, path));
  if (own === undefined) return false;
  return folder !== own || (await readdir(own).catch(() => [''])).length === 0;
}

/** Returns whether git tracks a path and leaves it out of the work tree (`git ls-files -t` marks it with `S`). */
async function isOutsideSparse(root: string, path: string): Promise<boolean> {
  if (!(await isThere(join(root, '.git', 'info', 'sparse-checkout')))) return false;
  const git = await gitFor(join(root, 'any')).catch(() => undefined);
  const listed = await git?.('ls-files', '-t', '--', relative(root, path).replaceAll(sep, '/'));
  return listed?.stdout.startsWith('S ') === true;
}
