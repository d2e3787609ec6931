/** The findings of the shown file, as *Problems* lists them, each with its preferred fix. */
import * as vscode from 'vscode';
import type { DiagnosticData } from '../../../../server/src/protocol.ts';
import { SOURCE } from '../../language-server/skill-server.ts';
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
  async applyFix({ range, fix: title }: ShownFinding): Promise<void> {
    const { uri } = this.#page;
    if (uri === undefined) return;
    const fixes = await preferredFixes(vscode.Uri.parse(uri), rangeOf(range));
    const edit = fixes.find((fix) => fix.title === title)?.edit;
    if (edit) await vscode.workspace.applyEdit(edit);
  }

  dispose(): void {
    this.#listener.dispose();
  }
}

const severities: readonly (ShownFinding['severity'] | undefined)[] = ['error', 'warning', 'info', undefined];

/** The maximum number of findings for which fixes are requested. Each of them requires a separate request. */
const MAX_REQUESTS = 20;

/** Returns the findings of a file except hints, which *Problems* also omits. */
async function findingsOf(uri: vscode.Uri): Promise<readonly ShownFinding[]> {
  let requests = 0;
  const found = vscode.languages.getDiagnostics(uri).map(async (diagnostic): Promise<readonly ShownFinding[]> => {
    const severity = severities[diagnostic.severity];
    if (severity === undefined) return [];
    const { range, message, code } = diagnostic;
    const rule = String(typeof code === 'object' ? code.value : (code ?? ''));
    const finding = { range: fileRangeOf(uri, range).range, severity, message, rule };
    const named = namedFix(diagnostic);
    if (named !== undefined || requests++ >= MAX_REQUESTS) return [named ? { ...finding, fix: named } : finding];
    // While the server restarts, the findings have no fixes.
    const [fix] = await preferredFixes(uri, range).catch(() => []);
    return [fix ? { ...finding, fix: fix.title } : finding];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Returns the title of the fix that a diagnostic of the server contains, and null if it has no fix. Returns undefined for
 * a diagnostic of another extension, and for a fix that only the editor's code actions contain.
 */
function namedFix({ source, data }: vscode.Diagnostic & { readonly data?: unknown }): string | null | undefined {
  return source === SOURCE ? (data as DiagnosticData | undefined)?.fix : undefined;
}

/** Returns the preferred fixes at a range. The editor does not return for which findings they are. */
async function preferredFixes(uri: vscode.Uri, range: vscode.Range): Promise<readonly vscode.CodeAction[]> {
  const actions = await vscode.commands.executeCommand<readonly (vscode.CodeAction | vscode.Command)[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
  return actions.filter(
    (one): one is vscode.CodeAction =>
      one instanceof vscode.CodeAction && one.isPreferred === true && one.edit !== undefined,
  );
}
