/** VS Code's own completion in JSON, which offers some keys beside those of the server. */
import * as vscode from 'vscode';

type Completions = vscode.CompletionItem[] | vscode.CompletionList | null | undefined;

/** Returns the items of a completion without the key `$schema`, which VS Code itself offers in each JSON file without a schema. */
export function withoutSchemaKey(document: vscode.TextDocument, found: Completions): Completions {
  const isOffered =
    document.languageId.startsWith('json') && vscode.extensions.getExtension('vscode.json-language-features');
  if (!found || !isOffered) return found;
  const left = (items: vscode.CompletionItem[]): vscode.CompletionItem[] =>
    items.filter(({ label }) => (typeof label === 'string' ? label : label.label) !== '$schema');
  return Array.isArray(found) ? left(found) : new vscode.CompletionList(left(found.items), found.isIncomplete);
}
