/** Finds files on disk by globs, and lists the folders that could not be read. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UNREADABLE } from '../workspace/unreadable.ts';
import type { ExcludedPath, Exclusions, VisitedFolder } from './exclusions.ts';
import { globTest, isIgnored, isNamedAsFile } from './globs.ts';
import { toUri } from './paths.ts';
import { hasBrokenName } from './read-file.ts';

export interface FoundFiles {
  /** The absolute paths, sorted. */
  readonly paths: readonly string[];
  /** The links that match no glob, and files that may be links checked out as text; the target may be a folder. */
  readonly links: readonly string[];
  /** The folders `node_modules`, which are not searched. */
  readonly modules: readonly string[];
  readonly unreadable: readonly UnreadableFolder[];
  /** The folders and files that were left out (`exclusions.ts`). */
  readonly excluded: readonly ExcludedPath[];
  /** True if folders were left out, because the search ended before. */
  readonly isCut: boolean;
}

/** The paths that a search leaves out, and its limits. */
export interface SearchOptions {
  /** Decides which folders and files are left out; undefined if none is. */
  readonly exclusions?: Exclusions | undefined;
  /** True if the user named the folder, which is then searched even if it would be left out. */
  readonly isNamed?: boolean;
  readonly mostFolders?: number;
  /** Returns the entries of a folder, or throws the system's error; reads the folder by default. */
  readonly entriesOf?: ((path: string) => readonly Dirent[]) | undefined;
  /** Returns true for a path after which no others are needed. */
  readonly isLast?: (path: string) => boolean;
}

/** The absolute path of a folder that could not be read, with the system's error. */
export interface UnreadableFolder {
  readonly folder: string;
  readonly error: unknown;
}

/** Returns whether a path without a file extension is directly in the folder of skills of a client. */
export const isInSkillsFolder = (path: string): boolean =>
  /[\\/]\.[\w-]+[\\/](?:[\w.-]+[\\/])?skills[\\/][^\\/.]+$/.test(path);

const FOLDERS_AT_ONCE = 32;

/**
 * Finds the entries below a folder that match a glob, including links and devices, which only reading can distinguish.
 * Reads outer folders first, and does not follow links to folders. A missing folder has no entries.
 */
export async function findFiles(
  root: string,
  globs: readonly string[],
  {
    exclusions,
    isNamed = false,
    mostFolders = Number.POSITIVE_INFINITY,
    isLast = () => false,
    entriesOf,
  }: SearchOptions = {},
): Promise<FoundFiles> {
  const list = async (path: string): Promise<readonly Dirent[]> =>
    entriesOf ? entriesOf(path) : readdir(path, { withFileTypes: true });
  const matches = globTest(globs);
  const paths: string[] = [];
  const links: string[] = [];
  const modules: string[] = [];
  const unreadable: { folder: string; error: unknown }[] = [];
  const excluded: ExcludedPath[] = [];
  const start = isNamed ? await exclusions?.named(toUri(root)) : await exclusions?.folder(toUri(root));
  if (typeof start === 'string') {
    return { paths, links, modules, unreadable, excluded: [{ path: root, reason: start }], isCut: false };
  }
  /** The folders relative to the root, the outer ones first. */
  const folders: { readonly folder: string; readonly passed: VisitedFolder | undefined }[] = [
    { folder: '', passed: start },
  ];
  let isEnded = false;
  const read = async ({ folder, passed }: (typeof folders)[number]): Promise<void> => {
    const path = join(root, folder);
    const entries = await list(path).catch(async (error): Promise<readonly Dirent[]> => {
      if (await hasBrokenName(path)) unreadable.push({ folder: path, error: new Error(UNREADABLE.name.reason) });
      else if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') unreadable.push({ folder: path, error });
      return [];
    });
    const names = new Set(entries.map(({ name }) => name));
    const visited = passed && folder !== '' ? await exclusions?.look(passed, names) : passed;
    if (typeof visited === 'string') {
      excluded.push({ path, reason: visited });
      return;
    }
    const leavesOut = async (name: string, isFolder: boolean): Promise<VisitedFolder | undefined | true> => {
      if (!visited || !exclusions) return undefined;
      const found = isFolder ? await exclusions.pass(visited, name) : await exclusions.excludesFile(visited, name);
      if (typeof found !== 'string') return found;
      excluded.push({ path: join(path, name), reason: found });
      return true;
    };
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (isFolder && isIgnored(path)) {
        if (entry.name === 'node_modules') modules.push(join(root, path));
        continue;
      }
      const isMatch = (!isFolder || isNamedAsFile(entry.name)) && matches(path);
      const inside = isFolder || isMatch ? await leavesOut(entry.name, isFolder) : undefined;
      if (inside === true) continue;
      if (isFolder) folders.push({ folder: path, passed: inside });
      if (isMatch) {
        paths.push(join(root, path));
        isEnded ||= isLast(path);
      } else if (entry.isSymbolicLink() || (entry.isFile() && isInSkillsFolder(join(root, path))))
        links.push(join(root, path));
    }
  };
  let done = 0;
  while (done < Math.min(folders.length, mostFolders) && !isEnded) {
    const batch = folders.slice(done, Math.min(done + FOLDERS_AT_ONCE, mostFolders));
    await Promise.all(batch.map(read));
    done += batch.length;
  }
  const isCut = done < folders.length;
  excluded.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { paths: paths.sort(), links: links.sort(), modules: modules.sort(), unreadable, excluded, isCut };
}
