/** The findings of the shown file, as *Problems* lists them, each with its preferred fix. */
import * as vscode from 'vscode';
import { fileRangeOf, rangeOf } from '../../locations.ts';
import { coalesce } from '../kit/schedule.ts';
import type { ShownFinding } from './messages.ts';
import type { PreviewPage } from './page.ts';

export class PreviewFindings implements vscode.Disposable {
  readonly #page: PreviewPage;
  readonly #listener: vscode.Disposable;
  /** Sends the findings of the shown file. They are also sent each time they change. */
  readonly send: () => void;

  constructor(page: PreviewPage) {
    this.#page = page;
    this.send = coalesce(async () => {
      const { uri } = page;
      if (uri !== undefined) page.post({ type: 'findings', uri, findings: await findingsOf(vscode.Uri.parse(uri)) });
    }, page.fail);
    this.#listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((uri) => uri.toString() === page.uri)) this.send();
    });
  }

  /** Applies a fix of the shown file as one undo step, if the editor still offers it. */
  async applyFix({ range, rule, fix: title }: ShownFinding): Promise<void> {
    const { uri } = this.#page;
    if (uri === undefined) return;
    const fix = await findFix(vscode.Uri.parse(uri), rangeOf(range), rule);
    if (fix?.edit && fix.title === title) await vscode.workspace.applyEdit(fix.edit);
  }

  dispose(): void {
    this.#listener.dispose();
  }
}

const severities: readonly (ShownFinding['severity'] | undefined)[] = ['error', 'warning', 'info', undefined];

/**
 * The maximum number of findings for which fixes are requested. Each finding requires a separate request to the server.
 */
const MOST_WITH_FIX = 20;

/** Returns the findings of a file except hints, which *Problems* also omits. */
async function findingsOf(uri: vscode.Uri): Promise<readonly ShownFinding[]> {
  const shown = vscode.languages.getDiagnostics(uri).flatMap(({ severity, range, message, code }) => {
    const name = severities[severity];
    if (name === undefined) return [];
    const rule = String(typeof code === 'object' ? code.value : (code ?? ''));
    return [{ range: fileRangeOf(uri, range).range, severity: name, message, rule, place: range }];
  });
  return Promise.all(
    shown.map(async ({ place, ...finding }, at) => {
      // While the server restarts, the findings have no fixes.
      const fix = at < MOST_WITH_FIX ? await findFix(uri, place, finding.rule).catch(() => undefined) : undefined;
      return fix === undefined ? finding : { ...finding, fix: fix.title };
    }),
  );
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
