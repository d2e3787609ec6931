/** The modes and the line endings of the scripts in a skill's folder, in git and on the disk. */
import { lstat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { FolderFile } from '../abilities/folder.ts';
import { isScriptFile } from '../skill-folder/script-calls.ts';
import { gitFor } from './git.ts';
import { findPath, isWithin } from './paths.ts';
import { isThere } from './read-file.ts';

/** The largest number of scripts of a skill. */
const MOST_SCRIPTS = 200;

type Modes = ReadonlyMap<string, Pick<FolderFile, 'isExecutable' | 'isCommittedWithLf'>>;

/**
 * Returns the files of a folder with the modes of its scripts. The mode in git counts on every system; that on the disk only for
 * files that git does not track, on systems that have such a mode. Never throws.
 *
 * @param folder the URI of the folder
 * @param tracked returns the modes of the tracked scripts, given by their paths below a folder
 */
export async function withModes(
  folder: string,
  files: readonly FolderFile[],
  tracked: (root: string, scripts: readonly FolderFile[]) => Promise<Modes> = trackedIn,
): Promise<readonly FolderFile[]> {
  const root = findPath(folder);
  const scripts = files.filter(isScriptFile).slice(0, MOST_SCRIPTS);
  if (root === undefined || scripts.length === 0) return files;
  const known = await tracked(root, scripts);
  const modes = new Map<string, Pick<FolderFile, 'isExecutable' | 'isCommittedWithLf'>>();
  for (const { path } of scripts) modes.set(path, known.get(path) ?? (await modeOnDisk(join(root, path))));
  return files.map((file) => ({ ...file, ...modes.get(file.path) }));
}

async function modeOnDisk(path: string): Promise<Pick<FolderFile, 'isExecutable' | 'isCommittedWithLf'>> {
  // Git on Windows usually converts the line endings when such a file is added.
  if (process.platform === 'win32') return { isCommittedWithLf: true };
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() ? { isExecutable: (stats.mode & 0o111) !== 0 } : {};
}

/** Returns the modes of the tracked scripts, by path. */
async function trackedIn(root: string, scripts: readonly FolderFile[]): Promise<Modes> {
  const git = await gitFor(join(root, 'any')).catch(() => undefined);
  const listed = await git?.('ls-files', '-s', '--eol', '-z', '--', ...scripts.map(({ path }) => path));
  return modesIn(listed?.stdout ?? '');
}

/** Returns the modes in the output of `git ls-files -s`, which has the line endings only with `--eol`. */
function modesIn(listed: string): Modes {
  const found = new Map<string, Pick<FolderFile, 'isExecutable' | 'isCommittedWithLf'>>();
  for (const line of listed.split('\0')) {
    const [, mode, ends, path] = /^(\d+) [\da-f]+ \d\t(?:i\/(\S*)[^\t]*\t)?(.+)$/s.exec(line) ?? [];
    if (path === undefined || !mode?.startsWith('100')) continue;
    found.set(path, { isExecutable: mode === '100755', ...(ends === 'lf' && { isCommittedWithLf: true }) });
  }
  return found;
}

/** The modes of the scripts of many skills below a folder. Git lists the files of each repository once. */
export class ScriptModes {
  readonly #within: string;
  readonly #repositories = new Map<string, Promise<Modes | undefined>>();

  constructor(within: string) {
    this.#within = within;
  }

  /** Returns the files of a folder with the modes of its scripts, as `withModes` does. */
  add(folder: string, files: readonly FolderFile[]): Promise<readonly FolderFile[]> {
    return withModes(folder, files, async (root, scripts) => {
      // Git needs the content of a file to find its line endings, which count only for CRLF on the disk.
      const isPlain = isWithin(this.#within, root) && !scripts.some(({ text }) => text?.includes('\r\n'));
      const listed = isPlain ? await this.#listed(root) : undefined;
      if (!listed) return trackedIn(root, scripts);
      const below = relative(listed.root, root).replaceAll(sep, '/');
      return new Map(
        scripts.flatMap(({ path }) => {
          const mode = listed.modes.get(below === '' ? path : `${below}/${path}`);
          return mode ? [[path, mode] as const] : [];
        }),
      );
    });
  }

  /** Returns the modes in the repository of a folder, with paths below `root`; undefined if git cannot list them. */
  async #listed(folder: string): Promise<{ readonly root: string; readonly modes: Modes } | undefined> {
    let root = folder;
    while (!this.#repositories.has(root) && !(await isThere(join(root, '.git')))) {
      if (root === dirname(root)) return undefined;
      root = dirname(root);
    }
    const listing = this.#repositories.get(root) ?? this.#list(root);
    this.#repositories.set(root, listing);
    const modes = await listing;
    return modes && { root, modes };
  }

  async #list(root: string): Promise<Modes | undefined> {
    const git = await gitFor(join(root, 'any')).catch(() => undefined);
    const below = isWithin(root, this.#within) ? [relative(root, this.#within) || '.'] : ['.'];
    const listed = await git?.('ls-files', '-s', '-z', '--', ...below);
    return listed?.ok ? modesIn(listed.stdout) : undefined;
  }
}
