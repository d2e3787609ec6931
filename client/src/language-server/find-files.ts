/** Finds files in folders of any URI scheme, even if the editor cannot search the scheme. */
import * as vscode from 'vscode';
import { listFolder, uriIn } from './file-access.ts';
import { IGNORED, walkFolder } from './walk-folder.ts';

/**
 * The schemes that the editor can search: folders, remote machines, and repositories on the web. A search in any other
 * scheme never ends, because extensions cannot make their schemes searchable.
 */
const SEARCHED: ReadonlySet<string> = new Set(['file', 'vscode-remote', 'vscode-vfs']);

/**
 * Returns the files in a folder that match a glob, or all files if the editor cannot search the folder. Callers must
 * therefore filter the result.
 */
export async function findFiles(folder: vscode.Uri, globs: readonly string[]): Promise<readonly vscode.Uri[]> {
  if (SEARCHED.has(folder.scheme)) {
    const ignored = `**/{${[...IGNORED].join()}}/**`;
    const find = (glob: string) => vscode.workspace.findFiles(new vscode.RelativePattern(folder, glob), ignored);
    return (await Promise.all(globs.map(find))).flat();
  }
  const paths = await walkFolder((path) => listFolder(vscode.workspace.fs, uriIn(folder, path)));
  return paths.map((path) => uriIn(folder, path));
}
