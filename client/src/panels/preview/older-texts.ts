/** Texts of a skill that are older than its buffer. */
import * as vscode from 'vscode';
import type { GitExtension } from '../../language-server/git-baselines.ts';

/** What stands on the disk. A file that was never saved has none. */
export async function savedText(uri: vscode.Uri): Promise<string> {
  if (uri.scheme === 'untitled') throw new Error(vscode.l10n.t('The file has never been saved.'));
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** What git's HEAD has of a file, by the editor's own git extension: no process is run for it here. */
export async function headText(uri: vscode.Uri): Promise<string> {
  // git reads the repository's own configuration, which may name programs.
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('git’s HEAD is read only in a workspace that you trust.'));
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined)
    throw new Error(vscode.l10n.t('The editor’s git extension is not there, so git’s HEAD is out of reach.'));
  const repository = (await extension.activate()).getAPI(1).getRepository(uri);
  if (repository === null)
    throw new Error(vscode.l10n.t('The file belongs to no git repository that the editor has open.'));
  try {
    return await repository.show('HEAD', uri.fsPath);
  } catch {
    throw new Error(vscode.l10n.t('git’s HEAD does not have the file.'));
  }
}
