/**
 * The documentation pages of rules, and the links from findings to them. The editor opens a finding's link only if the
 * target is a document, so pages are documents with their own scheme; package.json makes the editor render these
 * documents.
 */
import * as vscode from 'vscode';
import { plainMessage } from '../plain-message.ts';

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

/**
 * Links each finding to the page of its rule, also if the server linked it to the documentation site: the page in the
 * extension belongs to the same version, and needs no network. The code of a finding is the name of its rule.
 */
export function linkToRulePages(diagnostics: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { code } = diagnostic;
    const rule = typeof code === 'object' ? code.value : code;
    if (typeof rule === 'string') diagnostic.code = { value: rule, target: pageOf(rule) };
    return diagnostic;
  });
}

/** Opens the page of `rule`; asks for a rule if the command was called without one. */
export async function openRulePage(context: vscode.ExtensionContext, rule?: unknown): Promise<void> {
  const chosen = typeof rule === 'string' ? rule : await askForRule(context);
  if (chosen !== undefined) await vscode.commands.executeCommand('vscode.open', pageOf(chosen));
}

async function askForRule(context: vscode.ExtensionContext): Promise<string | undefined> {
  const placeHolder = vscode.l10n.t('Select a rule');
  return (await vscode.window.showQuickPick(rules(context), { placeHolder, matchOnDetail: true }))?.label;
}

type Manifest = typeof import('../../../package.json');

/** Returns the rules from the manifest, because the extension cannot list the folder of rule pages in a browser. */
function rules({ extension }: vscode.ExtensionContext): readonly vscode.QuickPickItem[] {
  const { properties } = (extension.packageJSON as Manifest).contributes.configuration;
  const { enum: names, markdownEnumDescriptions: texts } = properties['skillComposer.rules'].propertyNames;
  return names.map((label, at) => ({ label, detail: plainMessage(texts[at] ?? '') }));
}
