/** The import panel: shows what the skills of a source may do, and imports them when the user consents. */
import type * as vscode from 'vscode';
import type { InstallView } from '../../../../server/src/protocol.ts';
import { errorMessage } from '../../error-message.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { shownOrigin } from '../../places.ts';
import type { ToImportPage, ToImportPanel } from './messages.ts';
import { readImportMessage } from './read-message.ts';

export interface ImportTarget {
  /** As the server is told. */
  readonly source: string;
  readonly folder: vscode.Uri;
}

/** Resolves when the panel is closed, with the skills that were imported; undefined where nothing was. */
export function showImport(
  panel: vscode.WebviewPanel,
  { source, folder }: ImportTarget,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): Promise<InstallView['skills'] | undefined> {
  const params = { folder: folder.toString(), source };
  let shown: ToImportPage | undefined;
  let view: InstallView | undefined;
  let imported: InstallView['skills'] | undefined;
  /** The page's script runs; VS Code ends that of a hidden page. */
  let isListening = false;
  let isBusy = false;

  const post = (message: ToImportPage): void => {
    shown = message;
    if (isListening) void panel.webview.postMessage(message);
  };
  const ask = async (problem: string | null): Promise<void> => {
    const reply = await server.previewInstall(params);
    view = 'problem' in reply ? undefined : reply;
    if ('problem' in reply) post({ type: 'refused', problem: reply.problem });
    else
      post({ type: 'show', view: { ...reply, origin: shownOrigin(reply, folder) }, folder: nameOf(folder), problem });
  };
  const install = async (force: boolean): Promise<void> => {
    if (!view || isBusy) return;
    isBusy = true;
    try {
      const { skills, digest } = view;
      const reply = await server.install({ ...params, digest, force });
      // What is shown is what there is now.
      if ('problem' in reply) return await ask(reply.problem);
      imported = skills.filter(({ state }) => state === 'new' || state === 'update');
      panel.dispose();
    } finally {
      isBusy = false;
    }
  };
  const onMessage = async (message: ToImportPanel): Promise<void> => {
    switch (message.type) {
      case 'ready':
        isListening = true;
        if (shown) post(shown);
        return;
      case 'import':
        return install(message.force);
      case 'cancel':
        return panel.dispose();
    }
  };
  const fail = (error: unknown): void => {
    log.debug(`import: ${errorMessage(error)}`);
    post({ type: 'refused', problem: errorMessage(error) });
  };
  return new Promise((resolve) => {
    const listeners = [
      panel.webview.onDidReceiveMessage((sent: unknown) => {
        const message = readImportMessage(sent);
        if (message) void onMessage(message).catch(fail);
        else log.warn('import: the page sent what is no message of it.');
      }),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) isListening = false;
      }),
    ];
    panel.onDidDispose(() => {
      for (const listener of listeners) listener.dispose();
      resolve(imported);
    });
    void ask(null).catch(fail);
  });
}

const nameOf = (folder: vscode.Uri): string => folder.path.replace(/^.*\/(?=.)/, '');
