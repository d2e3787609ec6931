/** A folder as a source: all of it, or only the folders in it that are asked for. */
import { MAX_ENTRIES, MAX_ENTRY_BYTES } from '../../packing/limits.ts';
import { isInFolder } from '../../packing/unit.ts';
import type { ListedEntry } from '../../protocol.ts';
import { UserError } from '../user-error.ts';
import { isPassedOver, type LeftOut, looked, type Read, reasonFor, type Source, type SourceFile } from './source.ts';

/** A folder as its host reaches it. Paths are below it, with `/`; its own is empty. */
export interface Folder {
  readonly name: string;
  /** Nothing where there is no such folder. */
  list(path: string): Promise<readonly ListedEntry[]>;
  /** What has this path; undefined where there is nothing, or only behind a link. */
  find(path: string): Promise<ListedEntry['kind'] | undefined>;
  /** The path of the file that a link leads to, or why the link is not read. */
  follow(link: string): Promise<{ readonly path: string } | { readonly why: string }>;
  /** Through no link. */
  read(path: string, most: number): Promise<Read>;
}

/** `only` is the one skill's file that is meant. */
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

/** The folder of the nearest catalog above, whose skills a file may compose; else the file's own. */
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

/** Some folders in a folder. What else is there is found by its path, so that nothing else is listed. */
export interface FolderSubset extends Pick<Source, 'paths' | 'read'> {
  /** Whether there is such a file, in these folders or elsewhere. */
  has(path: string): Promise<boolean>;
}

export async function openParts(folder: Folder, parts: readonly string[]): Promise<FolderSubset> {
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

/** Whether a path stays within the folder, and leads through nothing that is passed over. */
const isPlain = (path: string): boolean =>
  !path.split('/').some((part) => ['', '.', '..'].includes(part) || isPassedOver(part));

async function readIn(folder: Folder, path: string, target = path): Promise<SourceFile> {
  const found = await folder.read(target, MAX_ENTRY_BYTES);
  if (typeof found !== 'string') return looked({ path, ...found });
  throw new UserError(`\`${path}\` cannot be read: ${reasonFor(found, MAX_ENTRY_BYTES)}.`);
}

/** The files below these folders, by their paths, with the paths that they are read by. */
async function listBelow(
  folder: Folder,
  folders: readonly string[],
): Promise<{ readonly files: Map<string, string>; readonly leftOut: readonly LeftOut[] }> {
  const files = new Map<string, string>();
  const leftOut: LeftOut[] = [];
  const links: string[] = [];
  const queue = [...folders];
  for (const above of queue) {
    for (const { name, kind } of await folder.list(above)) {
      const path = above === '' ? name : `${above}/${name}`;
      if (isPassedOver(name)) continue;
      if (kind === 'folder') queue.push(path);
      else if (kind === 'link') links.push(path);
      else if (kind === 'file') files.set(path, path);
      else leftOut.push({ path, why: 'is neither a file nor a folder' });
      if (files.size + links.length + queue.length > MAX_LISTED) {
        throw new UserError(`\`${folder.name}\` has more than ${MAX_LISTED} files and folders: name a folder in it.`);
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

/** Of a folder that is not all packed more is listed than an archive may have. */
const MAX_LISTED = MAX_ENTRIES * 20;
