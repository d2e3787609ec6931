/** Lists the files of a folder that the editor cannot search. */
import type { FileType } from 'vscode';

const FOLDER: FileType.Directory = 2;
const LINK: FileType.SymbolicLink = 64;

/** Folders whose files are never skills of the workspace. */
export const IGNORED: ReadonlySet<string> = new Set(['node_modules', '.git']);

const FOLDERS_AT_ONCE = 8;

/**
 * Returns the paths of all files, relative to the folder that `list` lists. Does not follow links to folders, and skips
 * folders that cannot be read.
 */
export async function walkFolder(list: (path: string) => Thenable<readonly [string, FileType][]>): Promise<string[]> {
  const found: string[] = [];
  const queue = [''];
  const read = async (folder: string): Promise<void> => {
    const entries = await list(folder).then(
      (all) => all,
      () => [],
    );
    for (const [name, type] of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if ((type & FOLDER) === 0) found.push(path);
      else if ((type & LINK) === 0 && !IGNORED.has(name)) queue.push(path);
    }
  };
  while (queue.length > 0) await Promise.all(queue.splice(-FOLDERS_AT_ONCE).map(read));
  return found;
}
