/** The editor's own git extension, which is asked so that no git process is started here. */
import * as vscode from 'vscode';

/** The part that is needed of version 1 of its interface. */
export interface GitExtension {
  getAPI(version: 1): Git;
}

export interface Git {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  getRepository(uri: vscode.Uri): Repository | null;
}

export interface Repository {
  readonly state: { readonly HEAD?: { readonly commit?: string }; readonly onDidChange: vscode.Event<void> };
  show(ref: string, path: string): Promise<string>;
}

export const gitExtension = (): vscode.Extension<GitExtension> | undefined =>
  vscode.extensions.getExtension<GitExtension>('vscode.git');

/** The text of a file at HEAD; undefined if HEAD does not have it. */
export async function textAtHead(repository: Repository, uri: vscode.Uri): Promise<string | undefined> {
  try {
    return await repository.show('HEAD', uri.fsPath);
  } catch {
    return undefined;
  }
}
