/** From the page back to the source. */
import * as vscode from 'vscode';
import type { Range } from '../../../server/src/protocol.ts';
import type { WirePlace } from './preview/messages.ts';

/** The skill files' own schemes: a page has no business with any other. */
export function isOfWorkspace({ scheme }: vscode.Uri): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return scheme === 'file' || scheme === 'untitled' || folders.some(({ uri }) => uri.scheme === scheme);
}

export const rangeOf = ({ start, end }: Range): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

/** Selects a place in its editor; one that is not open opens beside the panel, which keeps its column. */
export async function reveal(place: WirePlace, panel: vscode.ViewColumn | undefined, focus: boolean): Promise<void> {
  const uri = vscode.Uri.parse(place.uri);
  if (!isOfWorkspace(uri)) return;
  await vscode.window.showTextDocument(uri, {
    viewColumn: columnOf(uri, panel),
    selection: rangeOf(place.range),
    preserveFocus: !focus,
  });
}

function columnOf(uri: vscode.Uri, panel: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const wanted = uri.toString();
  const groups = vscode.window.tabGroups.all;
  const visible = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === wanted);
  // Behind the panel, the file would cover what one came from.
  const open = groups.find(
    ({ tabs, viewColumn }) =>
      viewColumn !== panel &&
      tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === wanted),
  );
  const other = groups.find(({ viewColumn }) => viewColumn !== panel);
  return visible?.viewColumn ?? open?.viewColumn ?? other?.viewColumn ?? vscode.ViewColumn.Beside;
}
