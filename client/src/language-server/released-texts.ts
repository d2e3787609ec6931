/**
 * Sends the server the text of each open skill at git's HEAD, for findings about breaking changes. Does this only in a
 * trusted workspace, because git can run programs that the repository's configuration names.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { ReleasedTextNotification, SECTION, sendNotification } from '../../../server/src/protocol.ts';
import { isSkill } from './served-files.ts';

const SETTING = 'breakingChanges.against';

/** Returns the API of the git extension; undefined if it is missing or turned off, or the workspace is not trusted. */
async function findGit(): Promise<Git | undefined> {
  const extension = gitExtension();
  if (!extension || !vscode.workspace.isTrusted) return undefined;
  try {
    return (await extension.activate()).getAPI(1);
  } catch {
    return undefined;
  }
}

export interface ReleasedTexts extends vscode.Disposable {
  /** Must be called when a server has started. */
  readonly started: (client: BaseLanguageClient) => void;
}

/** Sends the text at HEAD when a skill is opened, and again when HEAD changes. */
export function sendReleasedTexts(): ReleasedTexts {
  const disposables: vscode.Disposable[] = [];
  let client: BaseLanguageClient | undefined;
  let git: Promise<Git | undefined> | undefined;
  /** The last known commit of each repository. */
  const heads = new Map<Repository, string | undefined>();
  /** The number of the last request for each document. Only the newest text may be sent. */
  const requests = new WeakMap<vscode.TextDocument, number>();

  const listen = (repository: Repository): void => {
    if (heads.has(repository)) return;
    heads.set(repository, repository.state.HEAD?.commit);
    const listener = repository.state.onDidChange(() => {
      const commit = repository.state.HEAD?.commit;
      if (commit === heads.get(repository)) return;
      heads.set(repository, commit);
      sendAll();
    });
    disposables.push(listener);
  };
  const startGit = async (): Promise<Git | undefined> => {
    const found = await findGit();
    if (!found) {
      // The git extension may be enabled later, so look for it again.
      git = undefined;
      return undefined;
    }
    found.repositories.forEach(listen);
    disposables.push(
      found.onDidOpenRepository((repository) => {
        listen(repository);
        sendAll();
      }),
      found.onDidCloseRepository((repository) => {
        heads.delete(repository);
        sendAll();
      }),
    );
    return found;
  };
  const releasedTextOf = async ({ uri }: vscode.TextDocument): Promise<string | undefined> => {
    if (vscode.workspace.getConfiguration(SECTION, uri).get<string>(SETTING) === 'off') return undefined;
    git ??= startGit();
    const repository = (await git)?.getRepository(uri);
    return repository ? textAtHead(repository, uri) : undefined;
  };
  const send = async (document: vscode.TextDocument): Promise<void> => {
    const to = client;
    if (!to?.isRunning() || document.uri.scheme !== 'file' || !isSkill(document)) return;
    const request = (requests.get(document) ?? 0) + 1;
    requests.set(document, request);
    const text = (await releasedTextOf(document)) ?? null;
    if (document.isClosed || requests.get(document) !== request || !to.isRunning()) return;
    sendNotification(to, ReleasedTextNotification, { uri: to.code2ProtocolConverter.asUri(document.uri), text });
  };
  const sendAll = (): void => {
    for (const document of vscode.workspace.textDocuments) void send(document);
  };

  disposables.push(
    vscode.workspace.onDidOpenTextDocument((document) => void send(document)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.${SETTING}`)) sendAll();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      git = undefined;
      sendAll();
    }),
  );
  return {
    started(running) {
      client = running;
      sendAll();
    },
    dispose() {
      for (const disposable of disposables) disposable.dispose();
    },
  };
}

// The editor's git extension, used instead of a git process.

/** The used part of version 1 of the git extension's API. */
interface GitExtension {
  getAPI(version: 1): Git;
}

interface Git {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
  getRepository(uri: vscode.Uri): Repository | null;
}

interface Repository {
  readonly state: { readonly HEAD?: { readonly commit?: string }; readonly onDidChange: vscode.Event<void> };
  show(ref: string, path: string): Promise<string>;
}

export const gitExtension = (): vscode.Extension<GitExtension> | undefined =>
  vscode.extensions.getExtension<GitExtension>('vscode.git');

/** Returns the text of a file at HEAD; undefined if HEAD does not contain it. */
export async function textAtHead(repository: Repository, uri: vscode.Uri): Promise<string | undefined> {
  try {
    return await repository.show('HEAD', uri.fsPath);
  } catch {
    return undefined;
  }
}
