/** The menu of the status bar entry. */
import * as vscode from 'vscode';
import { SECTION } from '../../../server/src/protocol.ts';
import { columnForFiles } from '../panels/command-target.ts';
import type { StatusBar } from './status-bar.ts';

interface MenuItem extends vscode.QuickPickItem {
  readonly command?: string;
  readonly arguments?: readonly unknown[];
}

export async function showMenu(status: StatusBar): Promise<void> {
  const title = vscode.l10n.t('Skill Composer');
  const chosen = await vscode.window.showQuickPick(entries(status), { title, placeHolder: status.summary() });
  if (chosen?.command === undefined) return;
  await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
}

function entries(status: StatusBar): MenuItem[] {
  const about = status.about();
  const isSkill = about !== undefined && about.dialect !== null && about.dialect !== 'catalog';
  const preview = entry('open-preview', vscode.l10n.t('Open Preview to the Side'), `${SECTION}.openPreview`);
  const graph = entry('type-hierarchy', vscode.l10n.t('Show Composition Graph'), `${SECTION}.showGraph`);
  const catalog = about?.catalog
    ? {
        ...entry('library', vscode.l10n.t('Open the Catalog'), 'vscode.open'),
        description: vscode.workspace.asRelativePath(vscode.Uri.parse(about.catalog.uri)),
        arguments: [vscode.Uri.parse(about.catalog.uri), columnForFiles(vscode.Uri.parse(about.catalog.uri))],
      }
    : entry('library', vscode.l10n.t('New Catalog…'), `${SECTION}.newCatalog`);
  const ofSkills = [...(isSkill ? [preview] : []), ...(about !== undefined && about.skills > 0 ? [graph] : [])];
  return [
    ...(ofSkills.length > 0 ? [...ofSkills, separator()] : []),
    ...(about?.dialect === 'catalog' ? [] : [catalog]),
    entry('new-file', vscode.l10n.t('New Skill…'), `${SECTION}.newSkill`),
    separator(),
    entry('output', vscode.l10n.t('Show Output'), `${SECTION}.showOutput`),
    entry('debug-restart', vscode.l10n.t('Restart Language Server'), `${SECTION}.restartServer`),
    entry(
      'settings-gear',
      vscode.l10n.t('Open Settings'),
      'workbench.action.openSettings',
      '@ext:skill-composer.skill-composer',
    ),
    entry('report', vscode.l10n.t('Report Issue…'), `${SECTION}.reportIssue`),
  ];
}

const entry = (icon: string, label: string, command: string, ...args: readonly unknown[]): MenuItem => ({
  iconPath: new vscode.ThemeIcon(icon),
  label,
  command,
  arguments: args,
});

const separator = (): MenuItem => ({ label: '', kind: vscode.QuickPickItemKind.Separator });
