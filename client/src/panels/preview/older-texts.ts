/** Reads older texts of a skill: the saved one, and the one at git's HEAD. */
import * as vscode from 'vscode';
import { gitExtension, textAtHead } from '../../language-server/git.ts';

/** The text on the disk. Rejects for a file that was never saved. */
export async function savedText(uri: vscode.Uri): Promise<string> {
  if (uri.scheme === 'untitled') throw new Error(vscode.l10n.t('The file has never been saved.'));
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** The text at git's HEAD, from the editor's own git extension. Rejects with a reason that the user can read. */
export async function headText(uri: vscode.Uri): Promise<string> {
  // git may run programs that the repository's configuration names.
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('git’s HEAD is read only in a workspace that you trust.'));
  const extension = gitExtension();
  if (extension === undefined)
    throw new Error(vscode.l10n.t('The editor’s git extension is not there, so git’s HEAD is out of reach.'));
  const repository = (await extension.activate()).getAPI(1).getRepository(uri);
  if (repository === null)
    throw new Error(vscode.l10n.t('The file belongs to no git repository that the editor has open.'));
  const text = await textAtHead(repository, uri);
  if (text === undefined) throw new Error(vscode.l10n.t('git’s HEAD does not have the file.'));
  return text;
}

/** Why the file cannot be compared with its last save, or with git's HEAD; what can be is left out. */
export async function incomparable(uri: vscode.Uri): Promise<{ readonly saved?: string; readonly head?: string }> {
  const reasonOf = (reading: Promise<string>): Promise<string | undefined> =>
    reading.then(
      () => undefined,
      (error: Error) => error.message,
    );
  const [saved, head] = await Promise.all([reasonOf(savedText(uri)), reasonOf(headText(uri))]);
  return { ...(saved === undefined ? {} : { saved }), ...(head === undefined ? {} : { head }) };
}
