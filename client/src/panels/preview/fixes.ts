/** Offers for each error of a composition the quick fix that the editor has for the finding at its place. */
import * as vscode from 'vscode';
import { hasWorkspaceScheme, rangeOf } from '../../places.ts';
import type { OfferedFix, ShownError } from './messages.ts';

/** Errors of the invocation. A quick fix at their place in the file would fix something else. */
const INVOCATION_ERRORS: ReadonlySet<string> = new Set([
  'ParameterMismatch',
  'ArtifactBudgetExceeded',
  'CapabilityNarrowing',
]);

export async function offeredFixes(errors: readonly ShownError[]): Promise<readonly OfferedFix[]> {
  const found = await Promise.all(errors.map((error) => findFix(error)));
  const offered = new Map<string, OfferedFix>();
  for (const [error, fix] of found.entries()) {
    if (!fix) continue;
    // One fix for several errors at one place is offered once, at the first of them.
    const key = JSON.stringify([errors[error]?.uri, errors[error]?.range, fix.title]);
    if (!offered.has(key)) offered.set(key, { error, title: fix.title });
  }
  return [...offered.values()];
}

/** Applies a fix as one step to undo, unless the editor no longer offers it. */
export async function applyFix(error: ShownError, title: string): Promise<void> {
  const fix = await findFix(error);
  if (fix?.edit && fix.title === title) await vscode.workspace.applyEdit(fix.edit);
}

async function findFix({ uri, range, kind }: ShownError): Promise<vscode.CodeAction | undefined> {
  const file = vscode.Uri.parse(uri);
  if (INVOCATION_ERRORS.has(kind) || !hasWorkspaceScheme(file)) return undefined;
  const actions = await vscode.commands.executeCommand<readonly (vscode.CodeAction | vscode.Command)[]>(
    'vscode.executeCodeActionProvider',
    file,
    rangeOf(range),
    vscode.CodeActionKind.QuickFix.value,
  );
  return actions.find((one): one is vscode.CodeAction => one instanceof vscode.CodeAction && isPreferredFix(one));
}

/** The preferred fix at the place. The editor does not say which finding an action belongs to. */
const isPreferredFix = ({ isPreferred, edit }: vscode.CodeAction): boolean =>
  isPreferred === true && edit !== undefined;
