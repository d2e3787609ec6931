/** The findings of the shown file, as *Problems* lists them, each with the fix that the editor prefers. */
import * as vscode from 'vscode';
import { placeOf, rangeOf } from '../../places.ts';
import type { ShownFinding } from './messages.ts';

const severities: readonly (ShownFinding['severity'] | undefined)[] = ['error', 'warning', 'info', undefined];

/** Fixes are asked for this many findings: more are seldom looked at, and each asks the server. */
const MOST_WITH_FIX = 20;

/** Hints are left out, as *Problems* leaves them out. */
export async function findingsOf(uri: vscode.Uri): Promise<readonly ShownFinding[]> {
  const shown = vscode.languages.getDiagnostics(uri).flatMap(({ severity, range, message, code }) => {
    const name = severities[severity];
    if (name === undefined) return [];
    const rule = String(typeof code === 'object' ? code.value : (code ?? ''));
    return [{ range: placeOf(uri, range).range, severity: name, message, rule, place: range }];
  });
  return Promise.all(
    shown.map(async ({ place, ...finding }, at) => {
      const fix = at < MOST_WITH_FIX ? await findFix(uri, place, finding.rule) : undefined;
      return fix === undefined ? finding : { ...finding, fix: fix.title };
    }),
  );
}

/** Applies a fix as one step to undo, unless the editor no longer offers it. */
export async function applyFix(uri: vscode.Uri, { range, rule, fix: title }: ShownFinding): Promise<void> {
  const fix = await findFix(uri, rangeOf(range), rule);
  if (fix?.edit && fix.title === title) await vscode.workspace.applyEdit(fix.edit);
}

async function findFix(uri: vscode.Uri, range: vscode.Range, rule: string): Promise<vscode.CodeAction | undefined> {
  const actions = await vscode.commands.executeCommand<readonly (vscode.CodeAction | vscode.Command)[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
  const isForRule = ({ diagnostics }: vscode.CodeAction): boolean =>
    diagnostics === undefined ||
    diagnostics.some(({ code }) => String(typeof code === 'object' ? code.value : code) === rule);
  return actions.find(
    (one): one is vscode.CodeAction =>
      one instanceof vscode.CodeAction && one.isPreferred === true && one.edit !== undefined && isForRule(one),
  );
}
