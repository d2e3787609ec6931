/**
 * Removes headings from the outline of a `SKILL.md`, because VS Code's Markdown extension lists them, too. A skill
 * without other children is also removed, so that the outline, the breadcrumbs and sticky scroll have one root.
 */
import * as vscode from 'vscode';

type Outline = vscode.DocumentSymbol[] | vscode.SymbolInformation[] | null | undefined;

/** Returns the outline to show for a document. May change the children of `found`. */
export function withoutDuplicateHeadings(document: vscode.TextDocument, found: Outline): Outline {
  if (!found || !isListedByMarkdown(document)) return found;
  // The server sends symbol trees, because VS Code supports them.
  const trees = found.flatMap((symbol) => ('children' in symbol ? [symbol] : []));
  return trees
    .flatMap(withoutHeadings)
    .filter(({ kind, children }) => kind !== vscode.SymbolKind.Class || children.length > 0);
}

/** Returns true for a heading. The server uses the kind `String` only for headings, and `Class` for the skill. */
const isHeading = ({ kind }: vscode.DocumentSymbol): boolean => kind === vscode.SymbolKind.String;

/**
 * Returns whether the Markdown extension serves the document's language. Newer versions of VS Code have a language for
 * `SKILL.md`.
 */
function isListedByMarkdown({ languageId }: vscode.TextDocument): boolean {
  const events: unknown = vscode.extensions.getExtension('vscode.markdown-language-features')?.packageJSON
    .activationEvents;
  return Array.isArray(events) && events.includes(`onLanguage:${languageId}`);
}

/**
 * Keeps the symbols below a heading. A symbol ends before its first heading; otherwise sticky scroll would show the
 * symbol.
 */
function withoutHeadings(symbol: vscode.DocumentSymbol): readonly vscode.DocumentSymbol[] {
  const end = symbol.children.find(isHeading)?.range.start;
  const children = symbol.children.flatMap(withoutHeadings);
  if (isHeading(symbol)) return children;
  symbol.children = children;
  if (end && children.every(({ range }) => range.end.isBeforeOrEqual(end))) symbol.range = symbol.range.with({ end });
  return [symbol];
}
