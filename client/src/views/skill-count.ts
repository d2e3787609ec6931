/** Context keys by which views and the palette know whether there are skills. */
import * as vscode from 'vscode';
import { type AboutReply, SECTION } from '../../../server/src/protocol.ts';

/** Whether the workspace has none is said only once all of it has been read. */
export function publishSkillCount(about: AboutReply | undefined): void {
  const skills = about?.skills ?? 0;
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  void vscode.commands.executeCommand('setContext', `${SECTION}.hasSkills`, skills > 0);
  void vscode.commands.executeCommand(
    'setContext',
    `${SECTION}.hasNoSkills`,
    hasFolder && about?.ready === true && skills === 0,
  );
}
