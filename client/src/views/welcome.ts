/** The view that greets whoever has a folder without skills; its words are `viewsWelcome` in package.json. */
import * as vscode from 'vscode';
import { type AboutReply, SECTION } from '../../../server/src/protocol.ts';

/** A view without a tree would say that nobody provides one. */
export const serveWelcome = (): vscode.Disposable =>
  vscode.window.registerTreeDataProvider<never>(`${SECTION}.welcome`, {
    getChildren: () => [],
    getTreeItem: (none) => none,
  });

/** Shows the view where the whole workspace has been read and has no skill. */
export function showWelcome(about: AboutReply | undefined): void {
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  const hasNoSkills = hasFolder && about?.ready === true && about.skills === 0;
  void vscode.commands.executeCommand('setContext', `${SECTION}.hasNoSkills`, hasNoSkills);
}
