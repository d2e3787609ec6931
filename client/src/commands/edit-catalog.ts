/** Applies the edits of the server to a catalog. */
import * as vscode from 'vscode';
import type { Range } from '../../../server/src/protocol.ts';
import { rangeOf } from '../locations.ts';

/**
 * Applies edits to a catalog, which may not be open in a visible editor. Saves it if it had no other changes. Throws an
 * error if the editor refuses the edits.
 */
export async function editCatalog(
  catalog: vscode.Uri,
  edits: readonly { readonly range: Range; readonly newText: string }[],
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(catalog);
  const wasSaved = !document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  edit.set(
    catalog,
    edits.map(({ range, newText }) => new vscode.TextEdit(rangeOf(range), newText)),
  );
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(vscode.l10n.t('The editor did not apply the changes.'));
  }
  if (wasSaved) await document.save();
}
