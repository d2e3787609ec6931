/** The exclusions of a search on disk. Git names the tracked files, which it does not ignore. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { dialectOf } from '../vocabulary/dialect.ts';
import { type ExcludedPath, Exclusions } from './exclusions.ts';
import { findFiles } from './find-files.ts';
import { gitForFiles } from './git-commit.ts';
import { findPath, toUri } from './paths.ts';
import { readFound } from './read-file.ts';

/** A link is not followed, as git does not follow links to its own files. */
const NO_LINKS = { folders: [], isReadDirectly: () => false };

/** Returns the exclusions below a workspace folder, given by its path. Reads nothing yet. */
export const nodeExclusions = (root: string): Exclusions =>
  new Exclusions(toUri(root), {
    async read(uri) {
      const path = findPath(uri);
      return path === undefined ? { kind: 'absent' } : readFound(path, NO_LINKS);
    },
    async real(uri) {
      const path = findPath(uri) ?? '';
      return toUri(await realpath(path).catch(() => path));
    },
    tracked: trackedIn,
  });

async function trackedIn(repository: string): Promise<readonly string[]> {
  const path = findPath(repository);
  // Without git, patterns also exclude tracked files.
  const git = path === undefined ? undefined : await gitForFiles(path).catch(() => undefined);
  if (path === undefined || !git) return [];
  const listed = await git('ls-files', '-z', '--cached', '--ignored', '--exclude-standard');
  return listed.stdout
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => toUri(join(path, name)));
}

/** The largest number of paths that were left out in which skills are searched, and that of folders in each. */
const MOST_PATHS = 50;
const MOST_FOLDERS = 50;

/**
 * Returns the paths that are worth a note to the user: files, and folders in which a skill is found soon. Most ignored folders
 * contain only what a build made. Never throws.
 */
export async function withSkills(excluded: readonly ExcludedPath[]): Promise<readonly ExcludedPath[]> {
  const some = excluded.slice(0, MOST_PATHS);
  const areSkills = await Promise.all(
    some.map(async ({ path }) => {
      if (dialectOf(toUri(path)) !== undefined) return true;
      const options = { mostFolders: MOST_FOLDERS, isLast: () => true };
      return (await findFiles(path, ['**/SKILL.md', '**/*.skill.md'], options)).paths.length > 0;
    }),
  );
  return some.filter((_, at) => areSkills[at]);
}
