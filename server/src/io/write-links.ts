/** Creates symbolic links to folders, all or none (docs/sharing.md, "One skill for several clients"). */
import { symlink, unlink } from 'node:fs/promises';
import { type HeldFolder, inFolder, removeEmptyFolders } from './held-folder.ts';
import type { Turn } from './write-tree.ts';

/** A link to create. `path` is relative to the root, with `/`; `target` is relative to the folder of the link. */
export interface LinkToWrite {
  readonly path: string;
  readonly target: string;
}

/**
 * Creates links, and the folders above them. Never replaces anything, and never writes through a link. Returns a function
 * that removes the links. Rejects after it has removed what it created.
 */
export async function writeLinks(turn: Turn, links: readonly LinkToWrite[]): Promise<() => Promise<void>> {
  const made: LinkToWrite[] = [];
  const undo = async (): Promise<void> => {
    for (const { path } of made.splice(0)) {
      const [folder, name] = splitPath(path);
      await inFolder(turn.root, folder, (held) => unlink(held.at(name))).catch(() => {});
      await removeEmptyFolders(turn.root, folder);
    }
  };
  await turn.busy(async () => {
    try {
      for (const one of links) {
        await turn.check();
        await turn.root.verify();
        await writeLink(turn.root, one);
        made.push(one);
      }
    } catch (error) {
      await undo();
      throw error;
    }
  });
  return undo;
}

const writeLink = (root: HeldFolder, { path, target }: LinkToWrite): Promise<void> => {
  const [folder, name] = splitPath(path);
  return inFolder(
    root,
    folder,
    async (held) => {
      await held.verify();
      await symlink(target, held.at(name), 'dir');
    },
    true,
  );
};

function splitPath(path: string): readonly [folder: string, name: string] {
  const at = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
}
