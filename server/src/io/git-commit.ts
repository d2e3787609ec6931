/** The files of a commit, compared with the disk. Runs no program that a repository configures. */
import { createHash } from 'node:crypto';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { MAX_FILE_BYTES } from '../protocol/files.ts';
import { assertWorkTree, commitOf, type Git, gitFor, isShallow, type Ran } from './git.ts';
import { isWithin } from './paths.ts';
import { readBytes, textOf } from './read-file.ts';
import { UserError } from './user-error.ts';

/** The limit for the list of files that git prints, in bytes. */
const MAX_LIST = 256 * 1024 * 1024;

/** Returns git for a folder, with room for the list of all files; undefined outside a repository. */
export const gitForFiles = (folder: string): Promise<Git | undefined> => gitFor(join(folder, 'any'), MAX_LIST);

interface TreeEntry {
  readonly mode: string;
  /** The hash of the content. */
  readonly id: string;
  /** The size in bytes. */
  readonly size: number;
  /** The repository that contains the entry: a submodule is a separate repository. */
  readonly git: Git;
}

/** The mode of a submodule. The hash in the entry of a submodule is a commit. */
const SUBMODULE = '160000';

const OTHERWISE = 'run `check` without `--changed`';

export class Commit {
  readonly #root: string;
  readonly #entries: ReadonlyMap<string, TreeEntry>;
  /** The untracked paths that git ignores. A folder ends with a separator. */
  readonly #ignored: ReadonlySet<string>;
  readonly #folders = new Set<string>();
  readonly #known = new Map<string, Promise<boolean>>();

  private constructor(root: string, entries: ReadonlyMap<string, TreeEntry>, ignored: ReadonlySet<string>) {
    this.#root = root;
    this.#entries = entries;
    this.#ignored = ignored;
    for (const path of entries.keys()) {
      for (let at = path.lastIndexOf(sep); at > root.length; at = path.lastIndexOf(sep, at - 1)) {
        const folder = path.slice(0, at);
        if (this.#folders.has(folder)) break;
        this.#folders.add(folder);
      }
    }
  }

  /**
   * Reads the merge base of `HEAD` and `ref` in the repository of the folder `cwd`. Without a merge base, reads
   * `ref` itself and calls `note`. Throws a `UserError` if there is no such commit.
   */
  static async read(git: Git, ref: string, cwd: string, note: (line: string) => void): Promise<Commit> {
    await assertWorkTree(git, 'the working folder', OTHERWISE);
    const named = await commitOf(git, ref, { option: `--changed=${ref}`, otherwise: OTHERWISE });
    const base = await git('merge-base', named, 'HEAD');
    if (!base.ok) note(withoutBase(ref, await isShallow(git)));
    const top = await git('rev-parse', '--show-cdup');
    const root = resolve(cwd, top.stdout.trim() || '.');
    const entries = new Map<string, TreeEntry>();
    const repositories = new Map([[cwd, git]]);
    const tree = await readTree(git, root, base.ok ? base.stdout.trim() : named, entries, repositories);
    if (!tree.ok) throw new UserError(`\`--changed\`: the commit cannot be read: ${tree.reason}. ${OTHERWISE}.`);
    const ignored = new Set<string>();
    for (const [folder, inside] of repositories) {
      for (const path of await ignoredBelow(inside, folder)) ignored.add(path);
    }
    return new Commit(root, entries, ignored);
  }

  get paths(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Returns the files in the commit that are below a folder. */
  below(folder: string): readonly string[] {
    return this.#folders.has(folder) ? this.paths.filter((path) => path.startsWith(folder + sep)) : [];
  }

  /**
   * Returns whether a file was changed, added or deleted. False for a path that is outside the repository or ignored.
   */
  differs(path: string): Promise<boolean> {
    const known = this.#known.get(path) ?? this.#compare(path);
    this.#known.set(path, known);
    return known;
  }

  /**
   * Returns the text of a file in the commit. Undefined if the file is missing, is not a text file or is too large for
   * a check.
   */
  async text(path: string): Promise<string | undefined> {
    const entry = this.#entries.get(path);
    if (!entry?.mode.startsWith('100') || entry.size > MAX_FILE_BYTES) return undefined;
    const blob = await entry.git('cat-file', 'blob', entry.id);
    const content = blob.ok ? textOf(blob.bytes) : undefined;
    return content?.kind === 'text' ? content.text : undefined;
  }

  async #compare(path: string): Promise<boolean> {
    if (!isWithin(this.#root, path)) return false;
    const entry = this.#entries.get(path);
    if (!entry && this.#isIgnored(path)) return false;
    const stats = await lstat(path).catch(() => undefined);
    if (!stats) return entry !== undefined || this.#folders.has(path);
    if (stats.isDirectory()) return !this.#folders.has(path) && entry?.mode !== SUBMODULE;
    if (!entry) return true;
    if (stats.isSymbolicLink()) {
      const target = await readlink(path);
      if (entry.mode !== '120000' || idOf(Buffer.from(target), entry) !== entry.id) return true;
      const real = await realpath(path).catch(() => undefined);
      return real !== undefined && this.differs(real);
    }
    if (!entry.mode.startsWith('100')) return true;
    const read = await readBytes(path, MAX_FILE_BYTES);
    // A check does not read files that are too large, so comparing the sizes of such files is enough.
    if (typeof read === 'string') return stats.size !== entry.size;
    const { bytes } = read;
    // Git may convert line endings on checkout.
    return ![bytes, Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')].some(
      (one) => idOf(one, entry) === entry.id,
    );
  }

  #isIgnored(path: string): boolean {
    if (this.#ignored.has(path)) return true;
    for (let at = path.indexOf(sep, this.#root.length); at >= 0; at = path.indexOf(sep, at + 1)) {
      if (this.#ignored.has(path.slice(0, at + 1))) return true;
    }
    return false;
  }
}

const withoutBase = (ref: string, isInShallow: boolean): string =>
  `\`--changed=${ref}\`: no common commit with HEAD${isInShallow ? ' in this shallow clone' : ''}, so files are compared with \`${ref}\` itself.${isInShallow ? ' Run `git fetch --unshallow` to fetch all commits.' : ''}`;

/** Adds the files in a commit and in its checked-out submodules to `entries`, and these submodules to `submodules`. */
async function readTree(
  git: Git,
  root: string,
  commit: string,
  entries: Map<string, TreeEntry>,
  submodules: Map<string, Git>,
): Promise<Ran> {
  const tree = await git('ls-tree', '-r', '-z', '-l', '--full-tree', commit);
  for (const line of tree.stdout.split('\0')) {
    const [, mode, id, size, name] = /^(\d+) \w+ ([0-9a-f]+) +([\d-]+)\t(.+)$/s.exec(line) ?? [];
    if (!mode || !id || !name) continue;
    const path = resolve(root, name);
    entries.set(path, { mode, id, size: Number(size), git });
    const inside = mode === SUBMODULE ? await gitOfSubmodule(path) : undefined;
    if (!inside) continue;
    submodules.set(path, inside);
    await readTree(inside, path, id, entries, submodules);
  }
  return tree;
}

/** Returns undefined if the submodule is not checked out. */
async function gitOfSubmodule(path: string): Promise<Git | undefined> {
  const isThere = await lstat(join(path, '.git')).then(
    () => true,
    () => false,
  );
  return isThere ? gitForFiles(path) : undefined;
}

async function ignoredBelow(git: Git, folder: string): Promise<readonly string[]> {
  const others = await git('ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory');
  const paths = others.stdout.split('\0').filter((path) => path !== '');
  return paths.map((path) => resolve(folder, path) + (path.endsWith('/') ? sep : ''));
}

/** Returns the git hash of a file's content, computed with the algorithm of the entry's ID (SHA-1 or SHA-256). */
const idOf = (bytes: Buffer, { id }: TreeEntry): string =>
  createHash(id.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
