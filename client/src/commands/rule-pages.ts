/**
 * The documentation pages of rules, and the links from findings to them. The editor opens such a link only if it leads to
 * a document, so pages are documents of a scheme of their own; package.json has them shown rendered.
 */
import * as vscode from 'vscode';

/** The server links a finding to its rule as `skill-rule:NAME`, whatever the editor. */
const SCHEME = 'skill-rule';

const pageOf = (rule: string): vscode.Uri => vscode.Uri.from({ scheme: SCHEME, path: `/${rule}.md` });

const pagesFolder = ({ extensionUri }: vscode.ExtensionContext): vscode.Uri =>
  vscode.Uri.joinPath(extensionUri, 'docs', 'rules');

export function serveRulePages(context: vscode.ExtensionContext): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: async ({ path }) => {
      const file = vscode.Uri.joinPath(pagesFolder(context), path);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    },
  });
}

/** Turns the server's links into links to page documents. */
export function linkToRulePages(diagnostics: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { code } = diagnostic;
    if (typeof code === 'object' && code.target.scheme === SCHEME) {
      diagnostic.code = { value: code.value, target: pageOf(code.target.path) };
    }
    return diagnostic;
  });
}

/** Opens the page of `rule`; asks for a rule if the command was called without one. */
export async function openRulePage(context: vscode.ExtensionContext, rule?: unknown): Promise<void> {
  const chosen =
    typeof rule === 'string'
      ? rule
      : await vscode.window.showQuickPick(rules(context), { title: vscode.l10n.t('Rule') });
  if (chosen !== undefined) await vscode.commands.executeCommand('vscode.open', pageOf(chosen));
}

async function rules(context: vscode.ExtensionContext): Promise<string[]> {
  const entries = await vscode.workspace.fs.readDirectory(pagesFolder(context));
  return entries.flatMap(([file]) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : [])).sort();
}
