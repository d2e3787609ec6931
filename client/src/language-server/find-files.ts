/** Finds files in folders of any kind, whether the editor can search them or not. */

import type { FileType } from 'vscode';
import * as vscode from 'vscode';

/**
 * The schemes that the editor and its maker's extensions search: folders, remote machines, and repositories on the web. For
 * others a search never ends, since extensions can offer none.
 */
const SEARCHED: ReadonlySet<string> = new Set(['file', 'vscode-remote', 'vscode-vfs']);

/** The files of a folder that match a glob, and where the editor cannot search, all others too: whoever asks looks at the paths. */
export async function findFiles(folder: vscode.Uri, globs: readonly string[]): Promise<readonly vscode.Uri[]> {
  if (SEARCHED.has(folder.scheme)) {
    const ignored = `**/{${[...IGNORED].join()}}/**`;
    const find = (glob: string) => vscode.workspace.findFiles(new vscode.RelativePattern(folder, glob), ignored);
    return (await Promise.all(globs.map(find))).flat();
  }
  const paths = await walkFolder((path) => vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, path)));
  return paths.map((path) => vscode.Uri.joinPath(folder, path));
}

// Walks a folder for an editor that cannot search it.

const FOLDER: FileType.Directory = 2;
const LINK: FileType.SymbolicLink = 64;

/** Folders whose files are never skills of the workspace. */
const IGNORED: ReadonlySet<string> = new Set(['node_modules', '.git']);

const FOLDERS_AT_ONCE = 8;

/**
 * The paths of all files, relative to the folder that `list` tells of. Links to folders are not followed; a folder that
 * cannot be read holds nothing.
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
