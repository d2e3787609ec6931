/** Converts locations between the protocol's types and the editor's types. */
import * as vscode from 'vscode';
import type { Range } from '../../server/src/protocol.ts';
import type { FileRange } from './panels/kit/file-range.ts';

export const rangeOf = ({ start, end }: Range): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

export function fileRangeOf(uri: vscode.Uri, { start, end }: vscode.Range): FileRange {
  const position = ({ line, character }: vscode.Position) => ({ line, character });
  return { uri: uri.toString(), range: { start: position(start), end: position(end) } };
}

/**
 * Returns true if a URI has the scheme of a workspace file. The output, the older side of a diff, and settings have
 * other schemes.
 */
export function hasWorkspaceScheme({ scheme }: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return scheme === 'file' || scheme === 'untitled' || folders.some(({ uri }) => uri.scheme === scheme);
}

/** Returns the origin relative to the workspace folder, or as the full path if the origin is outside the folder. */
export const shownOrigin = ({ origin }: { readonly origin: string }, folder: vscode.Uri): string =>
  origin.startsWith('../') ? vscode.Uri.joinPath(folder, origin).fsPath : origin;
