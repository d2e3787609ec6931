/** Why git has not checked out a file that is missing on disk. */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { NotCheckedOut } from '../workspace/workspace-index.ts';
import { gitFor } from './git.ts';
import { isWithin, LONGEST_PATH } from './paths.ts';
import { isThere, readNamed } from './read-file.ts';

interface Repository {
  readonly root: string;
  /** The paths of the folders of submodules. */
  readonly submodules: readonly string[];
  readonly isSparse: boolean;
}

/** A folder that exists, and its repository. */
interface Checkout {
  readonly repository: Repository;
  readonly folder: string;
}

/** The entry at a path; undefined if nothing is there. */
type Entry = Pick<Stats, 'isDirectory'> | undefined;

/** Finds out why files are missing. Looks at each folder above them once, so an object is for files that are checked together. */
export class Absences {
  readonly #find: (path: string) => Entry | 'unknown';
  readonly #above = new Map<string, Promise<Checkout | undefined>>();
  readonly #repositories = new Map<string, Promise<Repository | undefined>>();

  /** @param find returns the entry at a path if the caller knows it, so that the system is not asked again */
  constructor(find: (path: string) => Entry | 'unknown' = () => 'unknown') {
    this.#find = find;
  }

  /**
   * Returns why a missing file is not checked out: it is in a submodule whose folder is empty, or outside of the sparse
   * checkout of its repository. Undefined if neither is the case. Never throws.
   *
   * @param path an absolute path at which no file is
   */
  async of(path: string): Promise<NotCheckedOut | undefined> {
    const checkout = path.length > LONGEST_PATH ? undefined : await this.#checkoutOf(dirname(path));
    if (!checkout) return undefined;
    if (await isInSubmodule(checkout, path)) return 'submodule';
    return (await isOutsideSparse(checkout, path)) ? 'sparse' : undefined;
  }

  /** Returns the nearest folder that exists, from a folder up; undefined if it is not in a repository. */
  #checkoutOf(folder: string): Promise<Checkout | undefined> {
    return once(this.#above, folder, async () => {
      const entry = await this.#entryAt(folder);
      if (!entry) return folder === dirname(folder) ? undefined : this.#checkoutOf(dirname(folder));
      const repository = entry.isDirectory() ? await this.#repositoryOf(folder) : undefined;
      return repository && { repository, folder };
    });
  }

  #repositoryOf(folder: string): Promise<Repository | undefined> {
    return once(this.#repositories, folder, async () => {
      if (await this.#entryAt(join(folder, '.git'))) return readRepository(folder);
      return folder === dirname(folder) ? undefined : this.#repositoryOf(dirname(folder));
    });
  }

  async #entryAt(path: string): Promise<Entry> {
    const known = this.#find(path);
    return known === 'unknown' ? lstat(path).catch(() => undefined) : known;
  }
}

function once<Value>(known: Map<string, Promise<Value>>, key: string, find: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? find();
  known.set(key, value);
  return value;
}

async function readRepository(root: string): Promise<Repository> {
  const modules = await readNamed(join(root, '.gitmodules'));
  const text = modules.kind === 'text' ? modules.text : '';
  const paths = [...text.matchAll(/^\s*path\s*=\s*"?([^"\r\n]+?)"?\s*$/gm)].map(([, one = '']) => join(root, one));
  return {
    root,
    submodules: paths.filter((one) => one !== root && isWithin(root, one)),
    isSparse: await isThere(join(root, '.git', 'info', 'sparse-checkout')),
  };
}

/** Returns whether the repository has a submodule above a path, and its folder is empty or missing. */
async function isInSubmodule({ repository, folder }: Checkout, path: string): Promise<boolean> {
  const own = repository.submodules.find((one) => isWithin(one, path));
  if (own === undefined) return false;
  return folder !== own || (await readdir(own).catch(() => [''])).length === 0;
}

/** Returns whether git tracks a path and leaves it out of the work tree (`git ls-files -t` marks it with `S`). */
async function isOutsideSparse({ repository: { root, isSparse } }: Checkout, path: string): Promise<boolean> {
  if (!isSparse) return false;
  const git = await gitFor(join(root, 'any')).catch(() => undefined);
  const listed = await git?.('ls-files', '-t', '--', relative(root, path).replaceAll(sep, '/'));
  return listed?.stdout.startsWith('S ') === true;
}
