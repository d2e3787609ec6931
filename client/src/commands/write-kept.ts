/** Writes what tests are held against, beside a skill. */
import * as vscode from 'vscode';

/** Returns why it is not written; undefined where it is. */
export async function writeKept(file: vscode.Uri, text: string): Promise<string | undefined> {
  const path = vscode.workspace.asRelativePath(file);
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (open?.isDirty) return vscode.l10n.t('{0} has changes that are not saved: save it first.', path);
  if ((await isLink(vscode.Uri.joinPath(file, '..'))) || (await isLink(file))) {
    return vscode.l10n.t('{0} is a link, and may lead anywhere: nothing is written.', path);
  }
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  return undefined;
}

export const isLink = (file: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(file)).then(
    ({ type }) => (type & vscode.FileType.SymbolicLink) !== 0,
    () => false,
  );
