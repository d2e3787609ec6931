/** Access to a folder on disk. */
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { HeldFolder } from '../../io/held-folder.ts';
import { findPath, isUri, isWithin, toUri } from '../../io/paths.ts';
import { isThere, readBytes } from '../../io/read-file.ts';
import type { AssertInside } from '../../io/real-path.ts';
import { UserError } from '../../io/user-error.ts';
import { replaceBytes } from '../../io/write-file.ts';
import { writeLinks } from '../../io/write-links.ts';
import { hasLeftWork, inTurn, type Turn, writeTree } from '../../io/write-tree.ts';
import { MAX_ARCHIVE_BYTES } from '../../packing/limits.ts';
import type { ListedEntry } from '../../protocol.ts';
import { CATALOG_NAME, dialectOf } from '../../vocabulary/dialect.ts';
import type { FolderAccess, OpenFolderAccess } from './folder-access.ts';
import { type Folder, openFolder, openSubset, workspaceAbove } from './folder-source.ts';
import { openArchive, type Read, type Source } from './source.ts';

/** Returns a function that opens only folders in the workspace. */
export const diskFoldersIn =
  (assertInside: AssertInside): OpenFolderAccess =>
  async (uri, note) => {
    const path = findPath(uri);
    if (path === undefined)
      throw new UserError(`\`${uri}\` is not a folder on this computer. Select a folder on this computer.`);
    const root = resolve(path);
    await assertInside(root);
    // Another program may have exchanged a folder for a link since.
    return diskFolder(root, note, (held) => assertInside(held.at('.'), root));
  };

/**
 * Returns access to a folder. `root` is an absolute path. `note` shows a line to the user. `accept` rejects if nothing
 * may be written in the opened folder.
 */
export function diskFolder(
  root: string,
  note: (line: string) => void = () => {},
  accept?: (held: HeldFolder) => Promise<void>,
): FolderAccess {
  const relativePath = (word: string): string => pathBelow(root, resolve(root, word));
  let current: Turn | undefined;
  const withTurn = <Result>(work: (turn: Turn) => Promise<Result>): Promise<Result> =>
    current
      ? work(current)
      : inTurn(
          root,
          note,
          (turn) => {
            current = turn;
            return work(turn).finally(() => {
              current = undefined;
            });
          },
          accept,
        );
  return {
    uri: toUri(root),
    relativePath,
    relativePathOfUri: (uri) => {
      const path = findPath(uri);
      return path === undefined ? uri : relativePath(path);
    },
    open: (word = '.') => openSource(root, word),
    openParts: async (folders) => openSubset(folderAt(await realpath(root)), folders),
    async read(path, most) {
      const full = await withRealFolder(resolve(root, path));
      const isInside = isWithin(await realpath(root).catch(() => root), full);
      return isInside || !(await isThere(full)) ? readPlaced(full, most) : 'outside';
    },
    realUri: async (path) => toUri(await withRealFolder(resolve(root, path))),
    alone: (work) => withTurn(work),
    settle: async () => ((await hasLeftWork(root)) ? withTurn(async () => {}) : undefined),
    write: (change, isUnchanged) => withTurn((turn) => writeTree(turn, change, isUnchanged)),
    // On Windows, most users cannot create links, and git checks them out as text.
    ...(process.platform !== 'win32' && {
      links: {
        find: (path) => findLinkTarget(resolve(root, path)),
        async write(links) {
          const undo = await withTurn((turn) => writeLinks(turn, links));
          return () => withTurn(undo);
        },
      },
    }),
    async replace(word, bytes) {
      if (isUri(word)) throw new UserError(`\`${word}\` is a URL. Use a path on this computer.`);
      await replaceBytes(resolve(root, word), bytes);
    },
  };
}

async function findLinkTarget(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isSymbolicLink()) return undefined;
  return toUri(await realpath(path).catch(async () => resolve(dirname(path), await readlink(path))));
}

/** Returns a path without symbolic links above the file; the same path if the folder does not exist. */
const withRealFolder = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));

const pathBelow = (root: string, path: string): string => relative(root, path).replaceAll(sep, '/');

async function readPlaced(path: string, most: number): Promise<Read> {
  const read = await readBytes(path, most);
  return typeof read === 'string' ? read : { bytes: read.bytes, isExecutable: (read.mode & 0o100) !== 0 };
}

/** Opens a file, a folder or an archive. Throws a `UserError` if that is not possible. */
async function openSource(cwd: string, word: string): Promise<Source> {
  const shown = `\`${word}\``;
  if (isUri(word)) {
    throw new UserError(
      `${shown} is a URL, which cannot be installed. Download and review the file, then name the downloaded file.`,
    );
  }
  const path = resolve(cwd, word);
  const stats = await stat(path).catch(() => undefined);
  if (!stats) throw new UserError(`${shown} does not exist. Specify a file, a folder or an archive.`);
  if (stats.isDirectory()) return openFolder(folderAt(await realpath(path)));
  if (dialectOf(path.replaceAll(sep, '/')) !== undefined) {
    const real = await realpath(path);
    const root = await workspaceAbove(dirname(real), dirname, (above) => isThere(join(above, CATALOG_NAME)));
    return openFolder(folderAt(root), pathBelow(root, real));
  }
  return openArchive(await readPlaced(await realpath(path), MAX_ARCHIVE_BYTES), basename(path), shown);
}

/** Returns a folder on disk. `root` is a real path, without symbolic links. */
const folderAt = (root: string): Folder => ({
  name: basename(root),
  list: (path) => listFolder(join(root, path)),
  find: (path) => findBelow(root, path),
  async follow(link) {
    const real = await realpath(join(root, link)).catch(() => undefined);
    const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
    if (real === undefined || !stats) return { why: 'is a link to a missing file' };
    if (!isWithin(root, real)) return { why: 'is a link to a file outside the folder' };
    return stats.isFile() ? { path: pathBelow(root, real) } : { why: 'is a link to a folder' };
  },
  read: (path, most) => readPlaced(join(root, path), most),
});

async function findBelow(root: string, path: string): Promise<ListedEntry['kind'] | undefined> {
  const full = join(root, path);
  if (!isWithin(root, full) || pathBelow(root, full) !== path) return undefined;
  const stats = await lstat(full).catch(() => undefined);
  // A disk that ignores case may find a file whose real path differs.
  const own = stats?.isSymbolicLink() ? dirname(full) : full;
  return stats && (await realpath(own).catch(() => undefined)) === own ? kindOf(stats) : undefined;
}

async function listFolder(folder: string): Promise<readonly ListedEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

const kindOf = (entry: Dirent | Stats): ListedEntry['kind'] =>
  entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : entry.isFile() ? 'file' : 'other';
