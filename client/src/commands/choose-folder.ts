/** Selects the folder for new files, and writes files. */
import * as vscode from 'vscode';
import { CLIENT_SKILL_FOLDERS } from '../../../server/src/protocol.ts';
import { isSkill } from '../language-server/served-files.ts';
import { showError } from '../notify.ts';

/**
 * Selects the folder for a new skill: beside the active skill, else `skills`, else the workspace folder. For a
 * `SKILL.md`, a client's folder replaces the workspace folder. Returns undefined if the user cancelled. `targetsIn` returns
 * the IDs of the clients that are chosen for a root.
 */
export async function chooseFolderForSkill(
  title: string,
  isAgentSkill: boolean,
  targetsIn: (root: vscode.Uri) => Promise<readonly string[]>,
): Promise<vscode.Uri | undefined> {
  const beside = besideActiveSkill(isAgentSkill);
  const besideRoot = beside && vscode.workspace.getWorkspaceFolder(beside)?.uri.toString();
  if (beside && besideRoot === undefined) return beside;
  if (!vscode.workspace.workspaceFolders?.length) return askForFolder(title, vscode.l10n.t('Create Skill Here'));
  return chooseRoot(title, async (root) =>
    beside && root.toString() === besideRoot
      ? beside
      : folderForSkills(root, isAgentSkill ? await targetsIn(root) : undefined),
  );
}

/**
 * Returns the folder for a new skill beside that of the active editor. A skill of the other format in the workspace does not
 * count if `isAgentSkill` is given, because agents find a `SKILL.md` only in certain folders.
 */
export function besideActiveSkill(isAgentSkill?: boolean): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document;
  if (!active || active.isUntitled || !isSkill(active)) return undefined;
  const isOther = isAgentSkill !== undefined && active.uri.path.endsWith('/SKILL.md') !== isAgentSkill;
  if (isOther && vscode.workspace.getWorkspaceFolder(active.uri)) return undefined;
  // A `SKILL.md` is in its own folder, so new skills go beside that folder, except outside the workspace folder.
  const beside = vscode.Uri.joinPath(active.uri, active.uri.path.endsWith('/SKILL.md') ? '../..' : '..');
  const owner = vscode.workspace.getWorkspaceFolder(active.uri);
  return owner === undefined || vscode.workspace.getWorkspaceFolder(beside) ? beside : undefined;
}

/**
 * Returns the folder for a new skill in a root, as `skill-composer new` does.
 *
 * @param targets the IDs of the chosen clients for a `SKILL.md`, such as `mastra:src/skills`; undefined for another skill
 */
async function folderForSkills(root: vscode.Uri, targets: readonly string[] | undefined): Promise<vscode.Uri> {
  const [first, ...more] = targets?.map((id) => /:(.*)$/.exec(id)?.[1]) ?? [];
  if (first !== undefined) return vscode.Uri.joinPath(root, first);
  const ofClients = targets ? CLIENT_SKILL_FOLDERS : [];
  const ofFrameworks = more.filter((folder) => folder !== undefined);
  for (const path of ['skills', ...ofClients, ...ofFrameworks]) {
    const folder = vscode.Uri.joinPath(root, path);
    if (await exists(folder)) return folder;
  }
  return vscode.Uri.joinPath(root, ofFrameworks[0] ?? ofClients[0] ?? '');
}

/**
 * Returns the folder of the only root of the window, else asks for a root; the root of the active editor is first.
 * `folderIn` returns the folder to show and to use in a root.
 */
export async function chooseRoot(
  title: string,
  folderIn: (root: vscode.Uri) => Promise<vscode.Uri>,
): Promise<vscode.Uri | undefined> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  const active = vscode.window.activeTextEditor?.document.uri;
  const owner = active && vscode.workspace.getWorkspaceFolder(active);
  const ordered = [...roots].sort((a, b) => Number(b.index === owner?.index) - Number(a.index === owner?.index));
  const items = await Promise.all(
    ordered.map(async ({ name, uri }) => {
      const folder = await folderIn(uri);
      const description = folder.path === uri.path ? '' : vscode.workspace.asRelativePath(folder, false);
      return { label: name, description, iconPath: vscode.ThemeIcon.Folder, folder };
    }),
  );
  if (items.length < 2) return items[0]?.folder;
  const placeHolder = vscode.l10n.t('Select the workspace folder');
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.folder;
}

/**
 * Returns the workspace folder of the active editor, else the only workspace folder, else the folder that the user
 * selects. Returns undefined if the user cancelled, or if no folder is open; then a message offers to open one.
 */
export async function chooseWorkspaceFolder(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const owner = active && vscode.workspace.getWorkspaceFolder(active);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    void offerCommand(
      showError,
      vscode.l10n.t('This command needs a folder. Open a folder first.'),
      vscode.l10n.t('Open Folder…'),
      'vscode.openFolder',
    );
    return undefined;
  }
  if (owner || folders.length < 2) return (owner ?? folders[0])?.uri;
  return (await vscode.window.showWorkspaceFolderPick())?.uri;
}

/** Shows a message with a button that runs a command. */
export async function offerCommand(show: typeof showError, message: string, label: string, id: string): Promise<void> {
  if ((await show(message, label)) === label) await vscode.commands.executeCommand(id);
}

/** Asks for any folder on the machine, for a window without a workspace. */
export async function askForFolder(title: string, openLabel: string): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title,
    openLabel,
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return chosen?.[0];
}

export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

export const writeText = (uri: vscode.Uri, text: string): Thenable<void> =>
  vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
