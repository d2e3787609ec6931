/** A folder as a source: all of it, or only some folders in it. */

import { UserError } from '../../io/user-error.ts';
import { MAX_ENTRIES, MAX_ENTRY_BYTES } from '../../packing/limits.ts';
import { isInFolder } from '../../packing/unit.ts';
import type { ListedEntry } from '../../protocol.ts';
import {
  type ExcludedFile,
  isIgnoredName,
  type Read,
  reasonFor,
  type Source,
  type SourceFile,
  withTextAndDigest,
} from './source.ts';

/** A folder that the host can read. Paths are relative to it, with `/`. The path of the folder itself is empty. */
export interface Folder {
  readonly name: string;
  /** Lists a folder. Returns an empty list if it does not exist. */
  list(path: string): Promise<readonly ListedEntry[]>;
  /** Returns the kind of a path, or undefined if it does not exist or is below a link. */
  find(path: string): Promise<ListedEntry['kind'] | undefined>;
  /** Returns the path of a link's target, or the reason why the link is not read. */
  follow(link: string): Promise<{ readonly path: string } | { readonly why: string }>;
  /** Reads a file. Never follows a link. */
  read(path: string, most: number): Promise<Read>;
}

/** Opens a folder as a source. `only` is the path of a single skill file to use. */
export async function openFolder(folder: Folder, only?: string): Promise<Source> {
  const { files, leftOut } = await listBelow(folder, ['']);
  return {
    name: folder.name,
    kind: only === undefined ? 'folder' : 'file',
    only,
    paths: [...files.keys()].sort(),
    leftOut,
    read: (path) => readIn(folder, path, files.get(path)),
  };
}

/**
 * Returns the folder of the nearest catalog in or above a file's folder, since the file may compose skills in the
 * catalog's folder. Without a catalog, returns the file's folder.
 */
export async function workspaceAbove(
  folder: string,
  parentOf: (folder: string) => string,
  hasCatalog: (folder: string) => Promise<boolean>,
): Promise<string> {
  for (let above = folder; ; above = parentOf(above)) {
    if (await hasCatalog(above)) return above;
    if (parentOf(above) === above) return folder;
  }
}

/** Some of the folders in a folder. Files elsewhere can be found by their path, but are never listed. */
export interface FolderSubset extends Pick<Source, 'paths' | 'read'> {
  /** Returns whether a file exists, in these folders or elsewhere. */
  has(path: string): Promise<boolean>;
}

/** Opens some of the folders in a folder. Ignores missing folders. */
export async function openSubset(folder: Folder, parts: readonly string[]): Promise<FolderSubset> {
  const widest = [...new Set(parts)].filter((one) => !parts.some((other) => other !== one && isInFolder(other, one)));
  const real: string[] = [];
  for (const one of widest) if (one === '' || (isPlain(one) && (await folder.find(one)) === 'folder')) real.push(one);
  const { files } = await listBelow(folder, real);
  return {
    paths: [...files.keys()].sort(),
    async has(path) {
      if (files.has(path)) return true;
      const kind = isPlain(path) ? await folder.find(path) : undefined;
      const target = kind === 'link' ? await folder.follow(path) : { path };
      if ((kind !== 'file' && kind !== 'link') || 'why' in target) return false;
      files.set(path, target.path);
      return true;
    },
    read: (path) => readIn(folder, path, files.get(path)),
  };
}

/** Returns whether a path is within the folder, and no name in it is ignored. */
const isPlain = (path: string): boolean =>
  !path.split('/').some((part) => ['', '.', '..'].includes(part) || isIgnoredName(part));

async function readIn(folder: Folder, path: string, target = path): Promise<SourceFile> {
  const found = await folder.read(target, MAX_ENTRY_BYTES);
  if (typeof found !== 'string') return withTextAndDigest({ path, ...found });
  throw new UserError(`\`${path}\` cannot be read: ${reasonFor(found, MAX_ENTRY_BYTES)}.`);
}

/** Returns the files below these folders. The map contains the path to read for each path, which differs for a link. */
async function listBelow(
  folder: Folder,
  folders: readonly string[],
): Promise<{ readonly files: Map<string, string>; readonly leftOut: readonly ExcludedFile[] }> {
  const files = new Map<string, string>();
  const leftOut: ExcludedFile[] = [];
  const links: string[] = [];
  const queue = [...folders];
  for (const above of queue) {
    for (const { name, kind } of await folder.list(above)) {
      const path = above === '' ? name : `${above}/${name}`;
      if (isIgnoredName(name)) continue;
      if (kind === 'folder' && path.length <= LONGEST_PATH) queue.push(path);
      else if (kind === 'link') links.push(path);
      else if (kind === 'file') files.set(path, path);
      else
        leftOut.push({
          path,
          why: kind === 'folder' ? 'has a path that is too long' : 'is neither a file nor a folder',
        });
      if (files.size + links.length + queue.length > MAX_LISTED) {
        throw new UserError(
          `\`${folder.name}\` has more than ${MAX_LISTED} files and folders. Specify one of its subfolders.`,
        );
      }
    }
  }
  for (const path of links) {
    const target = await folder.follow(path);
    if ('why' in target) leftOut.push({ path, why: target.why });
    else files.set(path, target.path);
  }
  return { files, leftOut };
}

/** The maximum number of listed entries: more than an archive may have, since not all files in a folder are packed. */
const MAX_LISTED = MAX_ENTRIES * 20;

/** The maximum length of a folder's path, since a file system of an extension may list a folder in itself. */
const LONGEST_PATH = 4096;
