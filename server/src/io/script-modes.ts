/** The modes and the line endings of the scripts in a skill's folder, in git and on the disk. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderFile } from '../abilities/folder.ts';
import { isScriptFile } from '../skill-folder/script-calls.ts';
import { gitFor } from './git.ts';
import { findPath } from './paths.ts';

/** The largest number of scripts of a skill. */
const MOST_SCRIPTS = 200;

/**
 * Returns the files of a folder with the modes of its scripts. The mode in git counts on every system; that on the disk only for
 * files that git does not track, on systems that have such a mode. Never throws.
 *
 * @param folder the URI of the folder
 */
export async function withModes(folder: string, files: readonly FolderFile[]): Promise<readonly FolderFile[]> {
  const root = findPath(folder);
  const scripts = files.filter(isScriptFile).slice(0, MOST_SCRIPTS);
  if (root === undefined || scripts.length === 0) return files;
  const tracked = await trackedIn(
    root,
    scripts.map(({ path }) => path),
  );
  const modes = new Map<string, Pick<FolderFile, 'isExecutable' | 'isCommittedWithLf'>>();
  for (const { path } of scripts) modes.set(path, tracked.get(path) ?? (await modeOnDisk(join(root, path))));
  return files.map((file) => ({ ...file, ...modes.get(file.path) }));
}

async function modeOnDisk(path: string): Promise<Pick<FolderFile, 'isExecutable' | 'isCommittedWithLf'>> {
  // Git on Windows usually converts the line endings when such a file is added.
  if (process.platform === 'win32') return { isCommittedWithLf: true };
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() ? { isExecutable: (stats.mode & 0o111) !== 0 } : {};
}

/** Returns the modes of the tracked files, by path. */
async function trackedIn(root: string, paths: readonly string[]) {
  const found = new Map<string, Pick<FolderFile, 'isExecutable' | 'isCommittedWithLf'>>();
  const git = await gitFor(join(root, 'any')).catch(() => undefined);
  const listed = await git?.('ls-files', '-s', '--eol', '-z', '--', ...paths);
  for (const line of listed?.stdout.split('\0') ?? []) {
    const [, mode, ends, path] = /^(\d+) [\da-f]+ \d\ti\/(\S*)[^\t]*\t(.+)$/s.exec(line) ?? [];
    if (path === undefined || !mode?.startsWith('100')) continue;
    found.set(path, { isExecutable: mode === '100755', ...(ends === 'lf' && { isCommittedWithLf: true }) });
  }
  return found;
}
