/** Texts of a skill that are older than its buffer. */
import * as vscode from 'vscode';

/** What stands on the disk. A file that was never saved has none. */
export async function savedText(uri: vscode.Uri): Promise<string> {
  if (uri.scheme === 'untitled') throw new Error('The file has never been saved.');
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** The part of the git extension's interface that is needed here, its version 1. */
interface Git {
  getAPI(version: 1): {
    getRepository(uri: vscode.Uri): { show(ref: string, path: string): Promise<string> } | null;
  };
}

/** What git's HEAD has of a file, by the editor's own git extension: no process is run for it. */
export async function headText(uri: vscode.Uri): Promise<string> {
  const extension = vscode.extensions.getExtension<Git>('vscode.git');
  if (extension === undefined)
    throw new Error('The editor’s git extension is not there, so git’s HEAD is out of reach.');
  const repository = (await extension.activate()).getAPI(1).getRepository(uri);
  if (repository === null) throw new Error('The file belongs to no git repository that the editor has open.');
  try {
    return await repository.show('HEAD', uri.fsPath);
  } catch {
    throw new Error('git’s HEAD does not have the file.');
  }
}
