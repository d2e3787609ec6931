/** Selects the folder for new files, and writes files. */
import * as vscode from 'vscode';
import { isSkill } from '../language-server/served-files.ts';

/** The folders in which clients look for a `SKILL.md`. Imports write to the first of these folders. */
const FOLDERS_OF_AGENTS = ['.agents/skills', '.claude/skills', '.github/skills'];

/**
 * Returns the folder of the active skill, else the folder `skills`, else the workspace folder. For a `SKILL.md`,
 * returns a client's folder instead of the workspace folder. Returns undefined without a workspace.
 */
export async function folderForSkills(isAgentSkill = false): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document;
  const owner = active && vscode.workspace.getWorkspaceFolder(active.uri);
  if (active && !active.isUntitled && isSkill(active)) {
    // A `SKILL.md` is in its own folder, so new skills go beside that folder.
    const beside = vscode.Uri.joinPath(active.uri, active.uri.path.endsWith('/SKILL.md') ? '../..' : '..');
    if (owner === undefined || vscode.workspace.getWorkspaceFolder(beside)) return beside;
  }
  const root = owner ?? vscode.workspace.workspaceFolders?.[0];
  if (root === undefined) return undefined;
  const ofAgents = isAgentSkill ? FOLDERS_OF_AGENTS : [];
  for (const path of ['skills', ...ofAgents]) {
    const folder = vscode.Uri.joinPath(root.uri, path);
    if (await exists(folder)) return folder;
  }
  return isAgentSkill ? vscode.Uri.joinPath(root.uri, '.agents/skills') : root.uri;
}

/**
 * Returns the workspace folder of the active editor, else the only workspace folder, else the folder that the user
 * selects.
 */
export async function chooseWorkspaceFolder(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const owner = active && vscode.workspace.getWorkspaceFolder(active);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (owner || folders.length < 2) return (owner ?? folders[0])?.uri;
  return (await vscode.window.showWorkspaceFolderPick())?.uri;
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
