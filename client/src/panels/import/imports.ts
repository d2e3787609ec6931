/** “Skill: Import…”: chooses a source, or takes one that was dropped, and opens the page that shows what its skills may do. */
import * as vscode from 'vscode';
import { SECTION } from '../../../../server/src/protocol.ts';
import { chooseWorkspaceFolder } from '../../commands/choose-folder.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { pageOptions, pageShell } from '../page-shell.ts';
import { showImport } from './panel.ts';

export type ImportSkills = (source?: unknown) => Promise<void>;

export function createImport(
  context: vscode.ExtensionContext,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): ImportSkills {
  return async (given) => {
    if (!vscode.workspace.isTrusted) {
      // Its catalog could call a tool harmless that is not.
      void vscode.window.showWarningMessage(vscode.l10n.t('Skills are imported into workspaces that you trust.'));
      return;
    }
    const folder = await chooseWorkspaceFolder();
    if (folder?.scheme !== 'file') {
      void vscode.window.showErrorMessage(
        vscode.l10n.t('Open a folder of this machine first: skills are imported into it.'),
      );
      return;
    }
    const source = given instanceof vscode.Uri ? given : await chooseSource();
    if (source === undefined) return;
    if (source.scheme !== 'file') {
      void vscode.window.showErrorMessage(vscode.l10n.t('Only files and folders of this machine are imported.'));
      return;
    }
    const title = vscode.l10n.t('Import {0}', source.path.replace(/^.*\/(?=.)/, ''));
    const panel = vscode.window.createWebviewPanel(
      `${SECTION}.import`,
      title,
      vscode.ViewColumn.Active,
      pageOptions(context),
    );
    const done = showImport(panel, { source, folder }, server, log);
    panel.webview.html = pageShell(panel.webview, context, 'import');
    const written = await done;
    if (written) void vscode.window.showInformationMessage(messageFor(written.length));
  };
}

const messageFor = (count: number): string =>
  count === 1
    ? vscode.l10n.t('Imported: 1 file has changed.')
    : vscode.l10n.t('Imported: {0} files have changed.', count);

/** Some systems have no dialog for both files and folders. */
async function chooseSource(): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('Import Skills');
  const kinds = [
    { isFolder: false, label: vscode.l10n.t('A file or an archive'), description: '.skill, .zip, .tgz, .md, .yaml' },
    { isFolder: true, label: vscode.l10n.t('A folder, or another workspace'), description: '' },
  ];
  const kind = await vscode.window.showQuickPick(kinds, { title, placeHolder: vscode.l10n.t('Import from what?') });
  if (!kind) return undefined;
  const openLabel = vscode.l10n.t('Show What It May Do');
  const chosen = await vscode.window.showOpenDialog({
    title,
    openLabel,
    canSelectFiles: !kind.isFolder,
    canSelectFolders: kind.isFolder,
  });
  return chosen?.[0];
}

/** The first file or folder of what is dropped onto a view. */
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
