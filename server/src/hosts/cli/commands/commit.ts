/** The files of a commit, held against those on the disk without any program that a repository names. */
import { createHash } from 'node:crypto';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { MAX_FILE_BYTES } from '../../../protocol.ts';
import { isWithin } from '../../disk/paths.ts';
import { readBytes, textOf } from '../../disk/read-file.ts';
import { type Git, gitFor, type Ran } from '../git.ts';
import { assertWorkTree, commitOf, isShallow } from '../repository.ts';
import { Stop } from '../stop.ts';

/** What git may print of the files of a commit, in bytes. */
export const MAX_LIST = 256 * 1024 * 1024;

interface Entry {
  readonly mode: string;
  /** The hash of its content. */
  readonly id: string;
  /** In bytes. */
  readonly size: number;
  /** In the repository that has it: a submodule has its own. */
  readonly git: Git;
}

/** The mode of a submodule, whose hash is that of a commit. */
const SUBMODULE = '160000';

const OTHERWISE = 'run `check` without `--changed`';

export class Commit {
  readonly #root: string;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Paths that git does not track and is told to ignore; a folder ends with a separator. */
  readonly #ignored: ReadonlySet<string>;
  readonly #folders = new Set<string>();
  readonly #known = new Map<string, Promise<boolean>>();

  private constructor(root: string, entries: ReadonlyMap<string, Entry>, ignored: ReadonlySet<string>) {
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

  /** The commit that the history shares with `ref`: where they have none in common, that of `ref` itself, which `note` tells. */
  static async read(git: Git, ref: string, cwd: string, note: (line: string) => void): Promise<Commit> {
    await assertWorkTree(git, 'the working folder', OTHERWISE);
    const named = await commitOf(git, ref, { option: `--changed=${ref}`, otherwise: OTHERWISE });
    const base = await git('merge-base', named, 'HEAD');
    if (!base.ok) note(withoutBase(ref, await isShallow(git)));
    const top = await git('rev-parse', '--show-cdup');
    const root = resolve(cwd, top.stdout.trim() || '.');
    const entries = new Map<string, Entry>();
    const repositories = new Map([[cwd, git]]);
    const tree = await readTree(git, root, base.ok ? base.stdout.trim() : named, entries, repositories);
    if (!tree.ok) throw new Stop(`\`--changed\`: the commit cannot be read: ${tree.reason}. ${OTHERWISE}.`);
    const ignored = new Set<string>();
    for (const [folder, inside] of repositories) {
      for (const path of await ignoredBelow(inside, folder)) ignored.add(path);
    }
    return new Commit(root, entries, ignored);
  }

  get paths(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** The files of the commit below a folder. */
  below(folder: string): readonly string[] {
    return this.#folders.has(folder) ? this.paths.filter((path) => path.startsWith(folder + sep)) : [];
  }

  /** Whether a path is another file now, or has come or gone; false for one that is outside, or ignored. */
  differs(path: string): Promise<boolean> {
    const known = this.#known.get(path) ?? this.#compare(path);
    this.#known.set(path, known);
    return known;
  }

  /** The text that a file had; undefined where it had none, or one that is too large for a check. */
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
    // What is too large is never read by a check either, so only its size counts.
    if (typeof read === 'string') return stats.size !== entry.size;
    const { bytes } = read;
    // Git may write line breaks out in the way of the machine.
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
  `\`--changed=${ref}\`: HEAD has no commit in common with it${isInShallow ? ' in this shallow clone' : ''}, so the files are held against \`${ref}\` itself, and what was changed there counts, too.${isInShallow ? ' `git fetch --unshallow` fetches all commits.' : ''}`;

/** Collects the files of a commit, and the submodules that are checked out, by their folders, with the files of theirs. */
async function readTree(
  git: Git,
  root: string,
  commit: string,
  entries: Map<string, Entry>,
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

/** Undefined where the submodule is not checked out. */
async function gitOfSubmodule(path: string): Promise<Git | undefined> {
  const isThere = await lstat(join(path, '.git')).then(
    () => true,
    () => false,
  );
  return isThere ? gitFor(join(path, 'any'), MAX_LIST) : undefined;
}

async function ignoredBelow(git: Git, folder: string): Promise<readonly string[]> {
  const others = await git('ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory');
  const paths = others.stdout.split('\0').filter((path) => path !== '');
  return paths.map((path) => resolve(folder, path) + (path.endsWith('/') ? sep : ''));
}

/** The hash by which git knows a content; it has two kinds, of other lengths. */
const idOf = (bytes: Buffer, { id }: Entry): string =>
  createHash(id.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
