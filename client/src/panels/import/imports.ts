/** “Skill: Import…”: chooses a source, or uses a dropped file or folder, and opens the page that shows its skills. */
import * as vscode from 'vscode';
import { InstallPreviewRequest, InstallRequest, type InstallView, SECTION } from '../../../../server/src/protocol.ts';
import { chooseWorkspaceFolder } from '../../commands/choose-folder.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { shownOrigin } from '../../locations.ts';
import { showError, showInformation, showWarning } from '../../notify.ts';
import { errorMessage } from '../../plain-message.ts';
import { columnForFiles } from '../command-target.ts';
import { pageOptions, pageShell } from '../page-shell.ts';
import { readMessage } from '../read-message.ts';
import { type ToImportPage, type ToImportPanel, toImportPanel } from './messages.ts';

export type ImportSkills = (source?: unknown) => Promise<void>;

export function createImport(
  context: vscode.ExtensionContext,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): ImportSkills {
  return async (given) => {
    if (!vscode.workspace.isTrusted) {
      // The catalog of an untrusted workspace could declare a dangerous tool as harmless.
      const message = vscode.l10n.t(
        'Skills can be imported only into a trusted workspace. Trust this workspace first.',
      );
      void showWarning(message);
      return;
    }
    const folder = await chooseWorkspaceFolder();
    if (!folder) return;
    if (server.serverPathFor(folder) === undefined) {
      void showError(vscode.l10n.t('Open a folder on this machine first. Skills are imported into it.'));
      return;
    }
    const source = given instanceof vscode.Uri ? given : await chooseSource(folder);
    if (source === undefined) return;
    const word = server.serverPathFor(source);
    if (word === undefined) {
      void showError(vscode.l10n.t('Only files and folders on this machine can be imported.'));
      return;
    }
    const title = vscode.l10n.t('Import {0}', source.path.replace(/^.*\/(?=.)/, ''));
    const panel = vscode.window.createWebviewPanel(`${SECTION}.import`, title, columnForFiles(), pageOptions(context));
    const done = showImport(panel, { source: word, folder }, server, log);
    panel.webview.html = pageShell(panel.webview, context, 'import');
    const imported = await done;
    if (imported) void notifyImported(imported.map(({ name }) => name));
  };
}

async function notifyImported(names: readonly string[]): Promise<void> {
  const message =
    names.length === 1
      ? vscode.l10n.t('Imported `{0}`.', names[0] ?? '')
      : vscode.l10n.t('Imported {0} skills: {1}', names.length, namesIn(names));
  const show = vscode.l10n.t('Show in All Skills');
  if ((await showInformation(message, show)) === show) await vscode.commands.executeCommand(`${SECTION}.skills.focus`);
}

/** The maximum number of listed names; further names are only counted. */
const MAX_NAMED = 5;

function namesIn(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).map((name) => `\`${name}\``);
  const more = names.length - named.length;
  return [...named, ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join(', ');
}

interface SourceKind extends vscode.QuickPickItem {
  readonly isFolder: boolean;
  readonly from?: vscode.Uri;
}

const MACHINE = vscode.Uri.file('/');

/**
 * Asks for the kind of the source before the source, because some systems have no dialog for both files and folders.
 */
async function chooseSource({ scheme }: vscode.Uri): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('Import Skills');
  const description = '.skill, .zip, .tgz, .md, .yaml, .skill.json';
  const kinds: readonly SourceKind[] = [
    { isFolder: false, label: vscode.l10n.t('A file or an archive'), description },
    { isFolder: true, label: vscode.l10n.t('A folder, or another workspace'), description: '' },
    // The default dialog shows the file system of the workspace, which may not be on this machine.
    ...(scheme === 'file'
      ? []
      : [
          { isFolder: false, label: vscode.l10n.t('A file or an archive on this machine'), description, from: MACHINE },
        ]),
  ];
  const placeHolder = vscode.l10n.t('What do you want to import?');
  const kind = await vscode.window.showQuickPick(kinds, { title, placeHolder });
  if (!kind) return undefined;
  const openLabel = vscode.l10n.t('Show What It May Do');
  const chosen = await vscode.window.showOpenDialog({
    title,
    openLabel,
    canSelectFiles: !kind.isFolder,
    canSelectFolders: kind.isFolder,
    ...(kind.from && { defaultUri: kind.from }),
  });
  return chosen?.[0];
}

/** Imports the first file or folder that is dropped onto a view. */
export function dropToImport(importSkills: ImportSkills): vscode.TreeDragAndDropController<unknown> {
  return {
    dragMimeTypes: [],
    dropMimeTypes: ['text/uri-list', 'files'],
    handleDrop: async (_target, dropped) => {
      const list = await dropped.get('text/uri-list')?.asString();
      const first = list?.split(/\r?\n/).find((line) => line !== '' && !line.startsWith('#'));
      const uri = first === undefined ? firstFile(dropped) : vscode.Uri.parse(first);
      if (uri) await importSkills(uri);
    },
  };
}

function firstFile(dropped: vscode.DataTransfer): vscode.Uri | undefined {
  for (const [, item] of dropped) {
    const uri = item.asFile()?.uri;
    if (uri) return uri;
  }
  return undefined;
}

/** The source and the destination of an import. */
interface ImportTarget {
  /** The path or URI of the source, as the server expects it. */
  readonly source: string;
  readonly folder: vscode.Uri;
}

/**
 * Shows the abilities of the skills in a source, and imports the skills when the user agrees. Resolves when the panel
 * is closed: to the imported skills, or to undefined if nothing was imported.
 */
function showImport(
  panel: vscode.WebviewPanel,
  { source, folder }: ImportTarget,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): Promise<InstallView['skills'] | undefined> {
  const params = { folder: folder.toString(), source };
  let shown: ToImportPage | undefined;
  let view: InstallView | undefined;
  let imported: InstallView['skills'] | undefined;
  /** True while the page's script runs. VS Code stops the script of a hidden page. */
  let isListening = false;
  let isBusy = false;

  const post = (message: ToImportPage): void => {
    shown = message;
    if (isListening) void panel.webview.postMessage(message);
  };
  const ask = async (problem: string | null): Promise<void> => {
    const reply = await server.send(InstallPreviewRequest, params);
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
      const reply = await server.send(InstallRequest, { ...params, digest, force });
      // The source or the destination changed: show their current state.
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
        const message = readMessage(toImportPanel, sent);
        if (message) void onMessage(message).catch(fail);
        else log.warn('import: the page sent an invalid message.');
      }),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) isListening = false;
      }),
    ];
    panel.onDidDispose(() => {
      isListening = false;
      for (const listener of listeners) listener.dispose();
      resolve(imported);
    });
    void ask(null).catch(fail);
  });
}

const nameOf = (folder: vscode.Uri): string => folder.path.replace(/^.*\/(?=.)/, '');
