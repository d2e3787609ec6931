/** The targets of panel commands, and the editor columns in which files open. */
import * as vscode from 'vscode';
import { SkillsRequest } from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { hasWorkspaceScheme, rangeOf } from '../locations.ts';
import type { FileRange } from './kit/file-range.ts';

/** Returns the skill that a command was called on: a file from a menu, or an item or code lens that has a `uri`. */
export function skillOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  const { uri } = (argument ?? {}) as { readonly uri?: unknown };
  return typeof uri === 'string' ? vscode.Uri.parse(uri) : undefined;
}

/**
 * Lets the user choose a skill, and opens it. Returns `none` if the workspace has no skills, and undefined if the user cancels.
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
  vscode.window.showTextDocument(file, { preview: false, viewColumn: columnForFiles(file) });

/**
 * Returns the column in which a file opens: the column that shows the file, else a column with its tab, else the active
 * column, else another column with an editor. A column that shows a page, such as the preview, is never used: without
 * another column, the file opens beside it.
 */
export function columnForFiles(file?: vscode.Uri): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const free = [activeTabGroup, ...all.filter((group) => group !== activeTabGroup)].filter(
    (group) => !showsPage(group),
  );
  const shows = (tab: vscode.Tab | undefined): boolean =>
    file !== undefined && tab?.input instanceof vscode.TabInputText && tab.input.uri.toString() === file.toString();
  const isText = ({ activeTab }: vscode.TabGroup): boolean => activeTab?.input instanceof vscode.TabInputText;
  const group =
    free.find(({ activeTab }) => shows(activeTab)) ??
    free.find(({ tabs }) => tabs.some(shows)) ??
    free.find((one) => one === activeTabGroup) ??
    free.find(isText) ??
    free[0];
  return group?.viewColumn ?? vscode.ViewColumn.Beside;
}

/**
 * Calls `changed` when files open in another column than before. A row of a view contains the column, because only
 * VS Code's own command for opening files knows whether a click or a key keeps the focus in the view.
 */
export function watchColumnForFiles(changed: () => void): vscode.Disposable {
  let last = columnForFiles();
  const compare = (): void => {
    const next = columnForFiles();
    if (next === last) return;
    last = next;
    changed();
  };
  const { onDidChangeTabGroups, onDidChangeTabs } = vscode.window.tabGroups;
  return vscode.Disposable.from(onDidChangeTabGroups(compare), onDidChangeTabs(compare));
}

/**
 * Returns the column for a file that opens beside the active editor: another column, but never one that shows a page.
 * If all other columns show pages, returns the column for files; in an empty window, returns the active column.
 */
export function columnBeside(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (isWindowEmpty()) return vscode.ViewColumn.Active;
  if (all.length === 1) return vscode.ViewColumn.Beside;
  return all.find((group) => group !== activeTabGroup && !showsPage(group))?.viewColumn ?? columnForFiles();
}

const showsPage = ({ activeTab }: vscode.TabGroup): boolean => activeTab?.input instanceof vscode.TabInputWebview;

/** Returns true if a file has a tab, also as a side of a diff. The last active file may have been closed. */
export const hasTab = (file: vscode.Uri): boolean =>
  vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => urisOf(input).some((uri) => uri.toString() === file.toString())),
  );

function urisOf(input: vscode.Tab['input']): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}

/** Selects a location in its editor, in a column that does not hide a page. */
export async function reveal(place: FileRange, focus: boolean): Promise<void> {
  const uri = vscode.Uri.parse(place.uri);
  if (!hasWorkspaceScheme(uri)) return;
  await vscode.window.showTextDocument(uri, {
    viewColumn: columnForFiles(uri),
    selection: rangeOf(place.range),
    preserveFocus: !focus,
  });
}
