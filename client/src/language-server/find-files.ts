/** Finds files in folders of any kind, whether the editor can search them or not. */
import * as vscode from 'vscode';
import { IGNORED, walkFolder } from './walk-folder.ts';

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
