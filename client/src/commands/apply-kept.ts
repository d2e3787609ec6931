/** Applies what the server answers to whoever keeps something of a skill: edits of the skill, and a file beside it. */
import * as vscode from 'vscode';
import type { KeepPromptReply } from '../../../server/src/protocol.ts';
import { errorMessage } from '../error-message.ts';
import { showWarning } from '../notify.ts';
import { rangeOf } from '../places.ts';
import { writeKept } from './write-kept.ts';

/**
 * Returns whether it is kept; why not is told the user. The edit of the skill is one step to undo. `saves` saves it where
 * the file had no other changes: for those who do not look at it.
 */
export async function applyKept(uri: string, ask: () => Promise<KeepPromptReply>, saves = false): Promise<boolean> {
  const problem = await tryToApply(uri, ask, saves).catch(errorMessage);
  if (problem === undefined) return true;
  void showWarning(problem);
  return false;
}

async function tryToApply(
  uri: string,
  ask: () => Promise<KeepPromptReply>,
  saves: boolean,
): Promise<string | undefined> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  // Edits for an older version of the document are requested again.
  for (let attempt = 0; attempt < 5; attempt++) {
    const reply = await ask();
    if ('problem' in reply) return reply.problem;
    if (reply.version !== null && reply.version !== document.version) continue;
    const refusal = reply.kept && (await writeKept(vscode.Uri.parse(reply.kept.uri), reply.kept.text));
    if (refusal) return refusal;
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      reply.edits.map(({ range, newText }) => new vscode.TextEdit(rangeOf(range), newText)),
    );
    if (reply.edits.length === 0) return undefined;
    const wasSaved = !document.isDirty;
    if (!(await vscode.workspace.applyEdit(edit))) continue;
    if (saves && wasSaved) await document.save();
    return undefined;
  }
  return vscode.l10n.t('The file kept changing meanwhile. Keep the prompt once more.');
}
