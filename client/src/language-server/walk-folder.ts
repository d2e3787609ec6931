/** Lists the files of a folder that the editor cannot search. */
import type { ListedEntry } from '../../../server/src/protocol.ts';

/** Folders whose files are never skills of the workspace. */
export const IGNORED: ReadonlySet<string> = new Set(['node_modules', '.git']);

const FOLDERS_AT_ONCE = 8;

/** The maximum number of folders, since a file system may list a folder in itself. */
const MAX_FOLDERS = 20_000;
/** The maximum number of folders in a path. */
const MAX_DEPTH = 100;

/**
 * Returns the paths of the files, relative to the folder that `list` lists. Lists the outer folders first, up to a
 * limit. Does not follow links to folders.
 */
export async function walkFolder(list: (path: string) => Promise<readonly ListedEntry[]>): Promise<string[]> {
  const found: string[] = [];
  const queue = [''];
  const read = async (folder: string): Promise<void> => {
    for (const { name, kind } of await list(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind !== 'folder') found.push(path);
      else if (!IGNORED.has(name) && path.split('/').length <= MAX_DEPTH && queue.length < MAX_FOLDERS)
        queue.push(path);
    }
  };
  for (let at = 0; at < queue.length; ) {
    const batch = queue.slice(at, at + FOLDERS_AT_ONCE);
    at += batch.length;
    await Promise.all(batch.map(read));
  }
  return found;
}
