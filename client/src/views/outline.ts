/**
 * The outline beside VS Code's own. To its Markdown extension a `SKILL.md` is Markdown, of which it lists the headings: with
 * ours each would stand in the outline, in the breadcrumbs and among the symbols twice. There ours has what VS Code does not
 * know of: the frontmatter and the artifacts.
 */
import * as vscode from 'vscode';

type Outline = vscode.DocumentSymbol[] | vscode.SymbolInformation[] | null | undefined;

/** Our outline of a document as it is shown there; the children of what is `found` change. */
export function besideTheirs(document: vscode.TextDocument, found: Outline): Outline {
  if (!found || !isListedByMarkdown(document)) return found;
  // The server sends trees to whoever understands them, as VS Code does.
  return found.flatMap((symbol) => ('children' in symbol ? withoutHeadings(symbol) : []));
}

/** Newer versions of VS Code have a language of their own for a `SKILL.md`, which their Markdown extension serves, too. */
function isListedByMarkdown({ languageId }: vscode.TextDocument): boolean {
  const events: unknown = vscode.extensions.getExtension('vscode.markdown-language-features')?.packageJSON
    .activationEvents;
  return Array.isArray(events) && events.includes(`onLanguage:${languageId}`);
}

/** What stands below a heading stays. The server gives this kind to headings alone. */
function withoutHeadings(symbol: vscode.DocumentSymbol): readonly vscode.DocumentSymbol[] {
  const children = symbol.children.flatMap(withoutHeadings);
  if (symbol.kind === vscode.SymbolKind.String) return children;
  symbol.children = children;
  return [symbol];
}
