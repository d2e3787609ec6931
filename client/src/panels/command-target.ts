/** The targets of panel commands, and the editor columns in which files open. */
import * as vscode from 'vscode';
import { SkillsRequest } from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';

/** Returns the skill that a command was called on: a file from a menu, or an item or code lens that has a `uri`. */
export function skillOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  const { uri } = (argument ?? {}) as { readonly uri?: unknown };
  return typeof uri === 'string' ? vscode.Uri.parse(uri) : undefined;
}

/**
 * Lets the user choose a skill, and opens it. Returns `none` if there are no skills, and undefined if the user cancels.
 */
export async function pickSkill(server: SkillServer): Promise<vscode.Uri | 'none' | undefined> {
  // Without a server the list is empty, and the page shows the reason.
  const skills = (await server.send(SkillsRequest, {}).catch(() => null))?.skills ?? [];
  if (skills.length === 0) return 'none';
  const items = skills
    .map(({ name, uri }) => ({ label: name, uri: vscode.Uri.parse(uri) }))
    .map((item) => ({ ...item, description: vscode.workspace.asRelativePath(item.uri) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const placeHolder = vscode.l10n.t('Select a skill');
  const chosen = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  if (chosen) await openFile(chosen.uri);
  return chosen?.uri;
}

/** Returns true if no tab is open. A panel would then occupy the column in which the next file opens. */
export const isWindowEmpty = (): boolean => vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0);

export const openFile = (file: vscode.Uri): Thenable<vscode.TextEditor> =>
  vscode.window.showTextDocument(file, { preview: false, viewColumn: columnForFiles() });

/** Returns a column in which a file does not hide the panel from which it was opened. */
export function columnForFiles(): vscode.ViewColumn {
  const { activeTab, viewColumn } = vscode.window.tabGroups.activeTabGroup;
  if (!(activeTab?.input instanceof vscode.TabInputWebview)) return vscode.ViewColumn.Active;
  return viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}

/** Returns true if a file has a tab. The last active file may have been closed. */
export const hasTab = (file: vscode.Uri): boolean =>
  vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === file.toString()),
  );
