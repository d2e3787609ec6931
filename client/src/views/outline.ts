/**
 * Removes headings from our outline of a `SKILL.md`. VS Code's Markdown extension lists them there as well, so each would
 * appear twice in the outline, the breadcrumbs and the symbols. Frontmatter and artifacts stay.
 */
import * as vscode from 'vscode';

type Outline = vscode.DocumentSymbol[] | vscode.SymbolInformation[] | null | undefined;

/** The outline to show for a document. May change the children of `found`. */
export function withoutDuplicateHeadings(document: vscode.TextDocument, found: Outline): Outline {
  if (!found || !isListedByMarkdown(document)) return found;
  // The server sends trees to a client that supports them, as VS Code does.
  return found.flatMap((symbol) => ('children' in symbol ? withoutHeadings(symbol) : []));
}

/** Newer versions of VS Code have a language of its own for `SKILL.md`, which their Markdown extension also serves. */
function isListedByMarkdown({ languageId }: vscode.TextDocument): boolean {
  const events: unknown = vscode.extensions.getExtension('vscode.markdown-language-features')?.packageJSON
    .activationEvents;
  return Array.isArray(events) && events.includes(`onLanguage:${languageId}`);
}

/** Symbols below a heading stay. The server uses the kind `String` for headings only. */
function withoutHeadings(symbol: vscode.DocumentSymbol): readonly vscode.DocumentSymbol[] {
  const children = symbol.children.flatMap(withoutHeadings);
  if (symbol.kind === vscode.SymbolKind.String) return children;
  symbol.children = children;
  return [symbol];
}
