/** “Skill: Keep This Prompt as Expected”: writes the prompt of a sample beside the skill, and that it is to stay so. */
import * as vscode from 'vscode';
import { errorMessage } from '../error-message.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { rangeOf } from '../places.ts';

/** Returns whether it is kept; why not is told the user. The edit of the skill is one step to undo, and is not saved. */
export async function keepPrompt(server: SkillServer, uri: string, sample: string): Promise<boolean> {
  const problem = await tryToKeep(server, uri, sample).catch(errorMessage);
  if (problem !== undefined) {
    void vscode.window.showWarningMessage(problem.replace(/`([^`]*)`/g, '“$1”'));
    return false;
  }
  vscode.window.setStatusBarMessage(vscode.l10n.t('The prompt of {0} is kept.', sample), 5000);
  return true;
}

async function tryToKeep(server: SkillServer, uri: string, sample: string): Promise<string | undefined> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  // Edits for an older version of the document are requested again.
  for (let attempt = 0; attempt < 5; attempt++) {
    const reply = await server.keepPrompt({ uri, sample });
    if ('problem' in reply) return reply.problem;
    if (reply.version !== null && reply.version !== document.version) continue;
    if (reply.kept) {
      const file = vscode.Uri.parse(reply.kept.uri);
      const folder = vscode.Uri.joinPath(file, '..');
      if ((await isLink(folder)) || (await isLink(file))) {
        return vscode.l10n.t(
          '{0} is a link, and may lead anywhere: nothing is written.',
          vscode.workspace.asRelativePath(file),
        );
      }
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(reply.kept.text));
    }
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      reply.edits.map(({ range, newText }) => new vscode.TextEdit(rangeOf(range), newText)),
    );
    if (reply.edits.length === 0 || (await vscode.workspace.applyEdit(edit))) return undefined;
  }
  return vscode.l10n.t('The file changed all the while. Keep the prompt once more.');
}

const isLink = (file: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(file)).then(
    ({ type }) => (type & vscode.FileType.SymbolicLink) !== 0,
    () => false,
  );
