/**
 * What git's HEAD has of a skill, by the editor's own git extension: no process is run for it here, and in a workspace
 * that nobody trusts nothing is asked at all, since git reads the repository's own configuration.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { BaselineNotification, type BaselineParams, SECTION } from '../../../server/src/protocol.ts';
import { isSkill } from './served-files.ts';

/** The part of the git extension's interface that is needed here, its version 1. */
export interface GitExtension {
  getAPI(version: 1): Git;
}

interface Git {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  getRepository(uri: vscode.Uri): Repository | null;
}

interface Repository {
  readonly state: { readonly HEAD?: { readonly commit?: string }; readonly onDidChange: vscode.Event<void> };
  show(ref: string, path: string): Promise<string>;
}

const SETTING = 'breakingChanges.against';

/** Undefined where the editor has no git, or its user has turned it off. */
async function findGit(): Promise<Git | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension || !vscode.workspace.isTrusted) return undefined;
  try {
    return (await extension.activate()).getAPI(1);
  } catch {
    return undefined;
  }
}

/** Undefined where the repository's HEAD does not have the file. */
async function textAtHead(repository: Repository, uri: vscode.Uri): Promise<string | undefined> {
  try {
    return await repository.show('HEAD', uri.fsPath);
  } catch {
    return undefined;
  }
}

export interface Baselines extends vscode.Disposable {
  /** Tells a server that has just started what the open skills were. */
  readonly started: (client: BaseLanguageClient) => void;
}

/** Tells the server what each open skill is in git's HEAD, and again when HEAD moves. */
export function tellBaselines(): Baselines {
  const disposables: vscode.Disposable[] = [];
  let client: BaseLanguageClient | undefined;
  let git: Promise<Git | undefined> | undefined;
  /** The commit of each repository that is listened to. */
  const heads = new Map<Repository, string | undefined>();
  /** By document, how often it was asked for: of answers that overtake one another the newest counts. */
  const asked = new WeakMap<vscode.TextDocument, number>();

  const listen = (repository: Repository): void => {
    if (heads.has(repository)) return;
    heads.set(repository, repository.state.HEAD?.commit);
    const moved = repository.state.onDidChange(() => {
      const commit = repository.state.HEAD?.commit;
      if (commit === heads.get(repository)) return;
      heads.set(repository, commit);
      tellAll();
    });
    disposables.push(moved);
  };
  const startGit = async (): Promise<Git | undefined> => {
    const found = await findGit();
    // It may be turned on later.
    if (!found) git = undefined;
    found?.repositories.forEach(listen);
    const opened = found?.onDidOpenRepository((repository) => {
      listen(repository);
      tellAll();
    });
    if (opened) disposables.push(opened);
    return found;
  };
  const baselineOf = async ({ uri }: vscode.TextDocument): Promise<string | undefined> => {
    if (vscode.workspace.getConfiguration(SECTION, uri).get<string>(SETTING) === 'off') return undefined;
    git ??= startGit();
    const repository = (await git)?.getRepository(uri);
    return repository ? textAtHead(repository, uri) : undefined;
  };
  const tell = async (document: vscode.TextDocument): Promise<void> => {
    const to = client;
    if (!to?.isRunning() || document.uri.scheme !== 'file' || !isSkill(document)) return;
    const turn = (asked.get(document) ?? 0) + 1;
    asked.set(document, turn);
    const text = (await baselineOf(document)) ?? null;
    if (document.isClosed || asked.get(document) !== turn || !to.isRunning()) return;
    const params: BaselineParams = { uri: to.code2ProtocolConverter.asUri(document.uri), text };
    await to.sendNotification(BaselineNotification, params);
  };
  const tellAll = (): void => {
    for (const document of vscode.workspace.textDocuments) void tell(document);
  };

  disposables.push(
    vscode.workspace.onDidOpenTextDocument((document) => void tell(document)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${SECTION}.${SETTING}`)) tellAll();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      git = undefined;
      tellAll();
    }),
  );
  return {
    started(running) {
      client = running;
      tellAll();
    },
    dispose() {
      for (const disposable of disposables) disposable.dispose();
    },
  };
}
