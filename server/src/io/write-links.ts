/** Creates symbolic links to folders, all or none (docs/sharing.md, "One skill for several clients"). */
import { symlink, unlink } from 'node:fs/promises';
import { type HeldFolder, inFolder, removeEmptyFolder } from './held-folder.ts';
import type { Turn } from './write-tree.ts';

/** A link to create. `path` is relative to the root, with `/`; `target` is relative to the folder of the link. */
export interface LinkToWrite {
  readonly path: string;
  readonly target: string;
}

/**
 * Creates links, and the folders above them. Never replaces anything, and never writes through a link. Returns a function
 * that removes the links and the folders in a later turn. Rejects after it has removed what it created.
 */
export async function writeLinks(turn: Turn, links: readonly LinkToWrite[]): Promise<(later: Turn) => Promise<void>> {
  const made: string[] = [];
  const folders: string[] = [];
  const undo = async ({ root }: Pick<Turn, 'root'>): Promise<void> => {
    for (const path of made.splice(0)) await removeLink(root, path);
    for (const path of folders.splice(0).reverse()) await removeEmptyFolder(root, path);
  };
  await turn.busy(async () => {
    try {
      for (const one of links) {
        await turn.check();
        await turn.root.verify();
        folders.push(...(await missingFolders(turn.root, folderAbove(one.path))));
        await writeLink(turn.root, one);
        made.push(one.path);
      }
    } catch (error) {
      await undo(turn);
      throw error;
    }
  });
  return undo;
}

const writeLink = (root: HeldFolder, { path, target }: LinkToWrite): Promise<void> =>
  inFolder(
    root,
    folderAbove(path),
    async (held) => {
      await held.verify();
      await symlink(target, held.at(nameOf(path)), 'dir');
    },
    true,
  );

/** Returns the folders of a path that do not exist, the outermost first. */
async function missingFolders(root: HeldFolder, path: string): Promise<readonly string[]> {
  if (path === '') return [];
  const isThere = await inFolder(root, path, async () => true).catch(() => false);
  return isThere ? [] : [...(await missingFolders(root, folderAbove(path))), path];
}

/** Removes a link, if that is possible. */
const removeLink = (root: HeldFolder, path: string): Promise<void> =>
  inFolder(root, folderAbove(path), (held) => unlink(held.at(nameOf(path)))).catch(() => {});

const folderAbove = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
