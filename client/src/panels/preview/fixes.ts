/** What the editor would do about errors of a composition: the quick fixes of its findings at their places. */
import * as vscode from 'vscode';
import { isOfWorkspace, rangeOf } from '../reveal.ts';
import type { OfferedFix, ShownError } from './messages.ts';

/** Errors of what was asked, not of the file: what may be mended at their places is something else. */
const ofInvocation: ReadonlySet<string> = new Set([
  'ParameterMismatch',
  'ArtifactBudgetExceeded',
  'CapabilityNarrowing',
]);

export async function offeredFixes(errors: readonly ShownError[]): Promise<readonly OfferedFix[]> {
  const found = await Promise.all(errors.map((error) => findFix(error)));
  const offered = new Map<string, OfferedFix>();
  for (const [error, fix] of found.entries()) {
    if (!fix) continue;
    // Of several errors at one place a fix mends all, or none: it is one button, at the first.
    const key = JSON.stringify([errors[error]?.uri, errors[error]?.range, fix.title]);
    if (!offered.has(key)) offered.set(key, { error, title: fix.title });
  }
  return [...offered.values()];
}

/** Mends an error as it was offered: one step to undo. What is not offered any more is not done. */
export async function applyFix(error: ShownError, title: string): Promise<void> {
  const fix = await findFix(error);
  if (fix?.edit && fix.title === title) await vscode.workspace.applyEdit(fix.edit);
}

async function findFix({ uri, range, kind }: ShownError): Promise<vscode.CodeAction | undefined> {
  const file = vscode.Uri.parse(uri);
  if (ofInvocation.has(kind) || !isOfWorkspace(file)) return undefined;
  const actions = await vscode.commands.executeCommand<readonly (vscode.CodeAction | vscode.Command)[]>(
    'vscode.executeCodeActionProvider',
    file,
    rangeOf(range),
    vscode.CodeActionKind.QuickFix.value,
  );
  return actions.find((one): one is vscode.CodeAction => one instanceof vscode.CodeAction && mends(one));
}

/** The first of a finding's fixes. The editor does not say which finding, nor whose: an error stands alone at most places. */
const mends = ({ isPreferred, edit }: vscode.CodeAction): boolean => isPreferred === true && edit !== undefined;
