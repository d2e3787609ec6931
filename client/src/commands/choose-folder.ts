/** Chooses the folder of new files, and writes them. */
import * as vscode from 'vscode';
import { isSkill } from '../language-server/served-files.ts';

/** The folder of the active skill, else `skills`, else the workspace folder; undefined without a workspace. */
export async function folderForSkills(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const owner = active && vscode.workspace.getWorkspaceFolder(active.uri);
  if (active && !active.isUntitled && isSkill(active)) {
    // A `SKILL.md` has a folder of its own.
    const beside = vscode.Uri.joinPath(active.uri, active.uri.path.endsWith('/SKILL.md') ? '../..' : '..');
    if (owner === undefined || vscode.workspace.getWorkspaceFolder(beside)) return beside;
  }
  const root = owner ?? vscode.workspace.workspaceFolders?.[0];
  if (root === undefined) return undefined;
  const skills = vscode.Uri.joinPath(root.uri, 'skills');
  return (await isThere(skills)) ? skills : root.uri;
}

/** The workspace folder of the active editor, else the only one, else the one that the user picks. */
export async function chooseWorkspaceFolder(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const owner = active && vscode.workspace.getWorkspaceFolder(active);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (owner || folders.length < 2) return (owner ?? folders[0])?.uri;
  return (await vscode.window.showWorkspaceFolderPick())?.uri;
}

/** Asks for any folder of the machine, for a window without a workspace. */
export async function askForFolder(title: string, openLabel: string): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title,
    openLabel,
    canSelectFiles: false,
    canSelectFolders: true,
  });
  return chosen?.[0];
}

export async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

export const writeText = (uri: vscode.Uri, text: string): Thenable<void> =>
  vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
