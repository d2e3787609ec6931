/** Converts places in files between the protocol's types and the editor's. */
import * as vscode from 'vscode';
import type { Range } from '../../server/src/protocol.ts';
import type { FileRange } from './panels/kit/file-range.ts';

export const rangeOf = ({ start, end }: Range): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

export function placeOf(uri: vscode.Uri, { start, end }: vscode.Range): FileRange {
  const position = ({ line, character }: vscode.Position) => ({ line, character });
  return { uri: uri.toString(), range: { start: position(start), end: position(end) } };
}

/** True for a scheme that files of a workspace have; false for the output, a diff's other side or a settings page. */
export function hasWorkspaceScheme({ scheme }: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return scheme === 'file' || scheme === 'untitled' || folders.some(({ uri }) => uri.scheme === scheme);
}

/** The lock file names a source from the workspace on; outside of it people know the place by its whole path. */
export const shownOrigin = ({ origin }: { readonly origin: string }, folder: vscode.Uri): string =>
  origin.startsWith('../') ? vscode.Uri.joinPath(folder, origin).fsPath : origin;
