/** Reveals locations in editors for the pages. */
import * as vscode from 'vscode';
import { hasWorkspaceScheme, rangeOf } from '../locations.ts';
import type { FileRange } from './kit/file-range.ts';

/** Selects a location in its editor. A file that is not open opens beside the panel, never in the panel's column. */
export async function reveal(place: FileRange, panel: vscode.ViewColumn | undefined, focus: boolean): Promise<void> {
  const uri = vscode.Uri.parse(place.uri);
  if (!hasWorkspaceScheme(uri)) return;
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
  const open = groups.find(
    ({ tabs, viewColumn }) =>
      viewColumn !== panel &&
      tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === wanted),
  );
  const other = groups.find(({ viewColumn }) => viewColumn !== panel);
  return visible?.viewColumn ?? open?.viewColumn ?? other?.viewColumn ?? vscode.ViewColumn.Beside;
}
