/** The view for a workspace without skills; its text is `viewsWelcome` in package.json. */
import * as vscode from 'vscode';
import { type AboutReply, SECTION } from '../../../server/src/protocol.ts';

/** An empty tree, without which VS Code would show an error in the view. */
export const serveWelcome = (): vscode.Disposable =>
  vscode.window.registerTreeDataProvider<never>(`${SECTION}.welcome`, {
    getChildren: () => [],
    getTreeItem: (item) => item,
  });

/** Shows the view once the whole workspace has been read and has no skill. */
export function showWelcome(about: AboutReply | undefined): void {
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  const hasNoSkills = hasFolder && about?.ready === true && about.skills === 0;
  void vscode.commands.executeCommand('setContext', `${SECTION}.hasNoSkills`, hasNoSkills);
}
