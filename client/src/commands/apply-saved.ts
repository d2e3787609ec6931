/**
 * Applies the server's reply when the user saves a prompt or a request: edits the skill, and writes a file beside it.
 */
import * as vscode from 'vscode';
import { type KeepPromptReply, KeepPromptRequest, KeepRoutingCaseRequest } from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { rangeOf } from '../locations.ts';
import { showWarning } from '../notify.ts';
import { errorMessage } from '../plain-message.ts';

/**
 * Returns whether the reply was applied; shows the reason if not. The edit to the skill is one undo step. With `saves`,
 * also saves the file if it had no other changes; this is for callers that do not show the file.
 */
async function applySaved(uri: string, ask: () => Promise<KeepPromptReply>, saves = false): Promise<boolean> {
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
  // If the edits are for an older version of the document, request them again.
  for (let attempt = 0; attempt < 5; attempt++) {
    const reply = await ask();
    if ('problem' in reply) return reply.problem;
    if (reply.version !== null && reply.version !== document.version) continue;
    const refusal = reply.kept && (await writeSaved(vscode.Uri.parse(reply.kept.uri), reply.kept.text));
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
  return vscode.l10n.t('The file changed during the operation. Try again.');
}

// Writes saved prompts and outputs beside a skill.

/** Writes a saved prompt or output. Returns the reason if it was not written. */
export async function writeSaved(file: vscode.Uri, text: string): Promise<string | undefined> {
  const path = vscode.workspace.asRelativePath(file);
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (open?.isDirty) return vscode.l10n.t('{0} has unsaved changes. Save it first.', path);
  if ((await isLink(vscode.Uri.joinPath(file, '..'))) || (await isLink(file))) {
    return vscode.l10n.t('{0} was not written, because it is a symbolic link or is in a linked folder.', path);
  }
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  return undefined;
}

export const isLink = (file: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(file)).then(
    ({ type }) => (type & vscode.FileType.SymbolicLink) !== 0,
    () => false,
  );

// “Skill: Save as Expected Prompt”: writes the prompt of a sample beside the skill, and adds the expectation.

/** Returns whether the prompt was saved; shows the reason if not. */
export async function savePrompt(server: SkillServer, uri: string, sample: string): Promise<boolean> {
  const isKept = await applySaved(uri, () => server.send(KeepPromptRequest, { uri, sample }));
  if (isKept) vscode.window.setStatusBarMessage(vscode.l10n.t('The prompt of {0} is saved.', sample), 5000);
  return isKept;
}

/** Saves a request as a routing case. Returns whether it was saved; shows the reason if not. */
export const saveRoutingCase = (
  server: Pick<SkillServer, 'send'>,
  uri: string,
  request: string,
  should: boolean,
): Promise<boolean> => applySaved(uri, () => server.send(KeepRoutingCaseRequest, { uri, request, should }), true);
