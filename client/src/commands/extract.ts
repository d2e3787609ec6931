/** Extraction with a name box as one step of undo: a refactoring that inserts a name, and the rename that follows it. */
import * as vscode from 'vscode';
import { SECTION } from '../../../server/src/protocol.ts';
import { registerCommand } from './first-steps.ts';
import { beginRename } from './references.ts';

type RenameTarget = Parameters<typeof beginRename>[0];

export interface Extractions extends vscode.Disposable {
  /** Changes the action of a server that edits a document and begins a rename: its command applies the edit. */
  readonly join: (action: vscode.CodeAction, document: vscode.TextDocument) => void;
  /** Applies the rename that follows an extraction itself, in the same step of undo. Otherwise returns its edit. */
  readonly finish: (
    document: vscode.TextDocument,
    edit: vscode.WorkspaceEdit | null | undefined,
  ) => Promise<vscode.WorkspaceEdit | null | undefined>;
}

const COMMAND = `${SECTION}.extract`;

export function joinExtractions(): Extractions {
  let last: { readonly uri: string; readonly version: number } | undefined;
  const extract = async (edit: vscode.WorkspaceEdit, target: RenameTarget): Promise<void> => {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(target.uri));
    const isApplied = await apply(document, edit, { undoStopBefore: true, undoStopAfter: false });
    if (!isApplied && !(await vscode.workspace.applyEdit(edit))) return;
    last = isApplied ? { uri: document.uri.toString(), version: document.version } : undefined;
    await beginRename(target);
  };
  const command = registerCommand(COMMAND, extract);
  return {
    join: (action, document) => {
      const { edit, command: next } = action;
      if (!edit || next?.command !== `${SECTION}.beginRename` || !isOnlyIn(edit, document)) return;
      action.command = { title: next.title, command: COMMAND, arguments: [edit, ...(next.arguments ?? [])] };
      delete action.edit;
    },
    finish: async (document, edit) => {
      const isNext = last?.uri === document.uri.toString() && last.version === document.version;
      last = undefined;
      if (!edit || !isNext || !isOnlyIn(edit, document)) return edit;
      const isApplied = await apply(document, edit, { undoStopBefore: false, undoStopAfter: true });
      return isApplied ? new vscode.WorkspaceEdit() : edit;
    },
    dispose: () => command.dispose(),
  };
}

const isOnlyIn = (edit: vscode.WorkspaceEdit, { uri }: vscode.TextDocument): boolean =>
  edit.size === 1 && edit.get(uri).length > 0;

async function apply(
  document: vscode.TextDocument,
  edit: vscode.WorkspaceEdit,
  options: { readonly undoStopBefore: boolean; readonly undoStopAfter: boolean },
): Promise<boolean> {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  if (!editor) return false;
  return editor.edit((builder) => {
    for (const { range, newText } of edit.get(document.uri)) builder.replace(range, newText);
  }, options);
}
