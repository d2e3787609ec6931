/** Finds skill files, catalogs and tool snapshots on the disk, and says what could not be looked into. */
import type { Dirent } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { URI } from 'vscode-uri';
import { DEFAULT_FILES } from '../../protocol.ts';
import { IGNORED } from '../files.ts';
import { allGlobs, servedTest } from '../served-files.ts';

export interface FoundFiles {
  /** Absolute paths, sorted. */
  readonly paths: readonly string[];
  /** The folders that could not be read, with the system's errors. */
  readonly unreadable: readonly { readonly folder: string; readonly error: unknown }[];
}

/** Absolute paths in which a URI writes every letter as it is; on Windows there are none. */
const PLAIN = /^(?:\/[\w.~-]+)+$/;

/** A path as the language server writes its URI. The library takes 4 us for it, four times a file. */
export const uriOf = (path: string): string => (PLAIN.test(path) ? `file://${path}` : URI.file(path).toString());

/** The path of such a URI. */
export function pathFrom(uri: string): string {
  const path = uri.slice('file://'.length);
  return sep === '/' && PLAIN.test(path) ? path : URI.parse(uri).fsPath;
}

export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** All files below a folder that concern skills. */
export function findBelow(folder: string): Promise<FoundFiles> {
  const globs = allGlobs({ folders: [], globs: DEFAULT_FILES });
  // The globs ask for the name of the folder that holds a plain `.md`, which is not part of a path from inside it.
  return find(folder, basename(folder) === 'skills' ? [...globs, '*.md'] : globs);
}

/** The files that a glob names, and those below the folders that it names, whatever they are. */
export function findByGlob(cwd: string, pattern: string): Promise<FoundFiles> {
  const { base, glob } = picomatch.scan(process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern);
  return glob === '' ? Promise.resolve({ paths: [], unreadable: [] }) : find(resolve(cwd, base), [glob, `${glob}/**`]);
}

const matchesSkill = servedTest({ folders: [], globs: DEFAULT_FILES });

/** True where a file's path makes it a skill, a candidate for one, or a catalog: what findings can be reported for. */
export const isCheckable = (path: string): boolean =>
  basename(path) !== 'skills.tools.json' && matchesSkill(uriOf(path));

const isIgnored = picomatch([...IGNORED], { dot: true });

const FOLDERS_AT_ONCE = 32;

/** Symbolic links are left alone, so no folder is seen twice and none outside. */
async function find(root: string, globs: readonly string[]): Promise<FoundFiles> {
  const matches = picomatch([...globs], { dot: true });
  const paths: string[] = [];
  const unreadable: { folder: string; error: unknown }[] = [];
  /** Folders yet to be read, relative to the root. */
  const waiting = [''];
  const read = async (folder: string) => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error): Dirent[] => {
      // A folder that is not there holds nothing, which is no fault of the reading.
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') unreadable.push({ folder: join(root, folder), error });
      return [];
    });
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !isIgnored(path)) waiting.push(path);
      else if (entry.isFile() && matches(path)) paths.push(join(root, path));
    }
  };
  while (waiting.length > 0) await Promise.all(waiting.splice(-FOLDERS_AT_ONCE).map(read));
  return { paths: paths.sort(), unreadable };
}
