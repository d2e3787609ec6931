/** Finds skill files, catalogs and tool snapshots. */
import { basename } from 'node:path';
import picomatch from 'picomatch';
import { DEFAULT_FILES } from '../../protocol.ts';
import { BASELINE_NAME } from '../../workspace/known-findings.ts';
import { SNAPSHOT_NAME } from '../../workspace/tool-snapshot.ts';
import { type FoundFiles, findFiles } from '../disk/find-files.ts';
import { absolute, toUri } from '../disk/paths.ts';
import { allGlobs, servedTest } from '../disk/served-files.ts';

const SERVED = { folders: [], globs: DEFAULT_FILES };

/** All files below a folder that concern skills. */
export function findBelow(folder: string): Promise<FoundFiles> {
  const globs = allGlobs(SERVED);
  // A plain `.md` is a skill in a folder called `skills`, which is not part of a path relative to that folder.
  return findFiles(folder, basename(folder) === 'skills' ? [...globs, '*.md'] : globs);
}

/** The files that a glob names, and those below the folders that it names, whatever they are. */
export async function findByGlob(cwd: string, pattern: string): Promise<FoundFiles> {
  const { base, glob } = picomatch.scan(process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern);
  return glob === '' ? { paths: [], links: [], unreadable: [] } : findFiles(absolute(cwd, base), [glob, `${glob}/**`]);
}

const isServed = servedTest(SERVED);

/** True where a file's path makes it a skill, a candidate for one, or a catalog: what findings can be reported for. */
export const isCheckable = (path: string): boolean =>
  ![SNAPSHOT_NAME, BASELINE_NAME].includes(basename(path)) && isServed(toUri(path));
