/**
 * Saves the files that change because the user renames or moves a file or a folder in the explorer. VS Code saves the
 * files that change in a rename with F2, but not these: without this, a skill would have its old name on disk in a folder
 * with the new name.
 */
import * as vscode from 'vscode';

/** An edit that VS Code applies before it moves files, with the state of its documents before. */
interface EditedFile {
  readonly uri: vscode.Uri;
  readonly isDirty: boolean;
}

export interface MovedFiles extends vscode.Disposable {
  /** Notes the files of an edit that VS Code is about to apply, and returns the edit. */
  readonly note: <Edit extends vscode.WorkspaceEdit | null | undefined>(edit: Edit) => Edit;
}

/** Saves the noted files after the move, unless they had unsaved changes before or the setting of VS Code is off. */
export function saveMovedFiles(): MovedFiles {
  let changed: readonly EditedFile[] = [];
  const moved = vscode.workspace.onDidRenameFiles(async ({ files }) => {
    const noted = changed;
    changed = [];
    if (vscode.workspace.getConfiguration('files').get('refactoring.autoSave') !== true) return;
    for (const { uri, isDirty } of noted) {
      if (isDirty) continue;
      const document = await vscode.workspace.openTextDocument(uriAfter(uri, files));
      if (document.isDirty) await document.save();
    }
  });
  return {
    note: (edit) => {
      const { textDocuments } = vscode.workspace;
      changed = (edit?.entries() ?? []).map(([uri]) => ({
        uri,
        isDirty: textDocuments.some((document) => document.isDirty && document.uri.toString() === uri.toString()),
      }));
      return edit;
    },
    dispose: () => void moved.dispose(),
  };
}

/** Returns the URI of a file after the moves. */
function uriAfter(uri: vscode.Uri, files: vscode.FileRenameEvent['files']): vscode.Uri {
  const move = files.find(({ oldUri }) => uri.path === oldUri.path || uri.path.startsWith(`${oldUri.path}/`));
  return move ? move.newUri.with({ path: move.newUri.path + uri.path.slice(move.oldUri.path.length) }) : uri;
}
