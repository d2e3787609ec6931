/**
 * The page of a rule, packaged with the extension, and the way from a finding to it. Pages are documents of a scheme of
 * their own, since the editor opens a finding's link only if it leads to a document; that it shows them rendered is
 * an entry of `workbench.editorAssociations` in package.json.
 */
import * as vscode from 'vscode';

/** The server links a finding to its rule as `skill-rule:NAME`, knowing neither the editor nor where it is installed. */
const scheme = 'skill-rule';

const pageOf = (rule: string): vscode.Uri => vscode.Uri.from({ scheme, path: `/${rule}.md` });

const pagesFolder = ({ extensionUri }: vscode.ExtensionContext): vscode.Uri =>
  vscode.Uri.joinPath(extensionUri, 'docs', 'rules');

export function serveRulePages(context: vscode.ExtensionContext): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: async ({ path }) => {
      const file = vscode.Uri.joinPath(pagesFolder(context), path);
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    },
  });
}

/** Turns the server's links into ones that the editor can follow. */
export function linkToRulePages(diagnostics: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { code } = diagnostic;
    if (typeof code === 'object' && code.target.scheme === scheme) {
      diagnostic.code = { value: code.value, target: pageOf(code.target.path) };
    }
    return diagnostic;
  });
}

/** Opens the page of `rule`; asks which one when the command palette gave no name. */
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
