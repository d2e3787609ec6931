/** Reveals locations in editors for the pages. */
import * as vscode from 'vscode';
import { hasWorkspaceScheme, rangeOf } from '../locations.ts';
import { columnForFiles } from './command-target.ts';
import type { FileRange } from './kit/file-range.ts';

/** Selects a location in its editor, in a column that does not hide a page. */
export async function reveal(place: FileRange, focus: boolean): Promise<void> {
  const uri = vscode.Uri.parse(place.uri);
  if (!hasWorkspaceScheme(uri)) return;
  await vscode.window.showTextDocument(uri, {
    viewColumn: columnForFiles(uri),
    selection: rangeOf(place.range),
    preserveFocus: !focus,
  });
}
