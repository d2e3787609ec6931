/** Searches skills and tools by the letters in their names. */
import { type SymbolInformation, SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import { inner } from '../../analysis/name-fixes.ts';
import { hasLettersInOrder } from '../../nearest.ts';
import { lineStartsOf, type Span } from '../../text.ts';
import { fileNameOf, folderOf } from '../../vocabulary/dialect.ts';
import type { Locate } from '../locate.ts';

/** The maximum number of results; editors repeat the request for every typed letter. */
const MAX_SYMBOLS = 200;

interface Candidate {
  readonly name: string;
  readonly uri: string;
  readonly kind: SymbolKind;
  readonly score: number;
  readonly span: Span | undefined;
}

/**
 * Returns the best matches first: names that start with the query, then names that contain the query, then names that
 * contain the letters of the query in order.
 */
export function workspaceSymbols(
  analysis: Analysis,
  query: string,
  locate: Locate,
): (WorkspaceSymbol | SymbolInformation)[] {
  const wanted = query.toLowerCase();
  const found: Candidate[] = [];
  for (const { uri, summary } of analysis.graph.skills.values()) {
    const score = summary.name === undefined ? undefined : scoreOf(summary.name.toLowerCase(), wanted);
    if (score === undefined || summary.name === undefined) continue;
    found.push({ name: summary.name, uri, kind: SymbolKind.Class, score, span: undefined });
  }
  for (const catalog of analysis.index.catalogs.values()) {
    for (const { name, span } of catalog.tools.values()) {
      const score = span && scoreOf(name.toLowerCase(), wanted);
      if (score !== undefined) found.push({ name, uri: catalog.uri, kind: SymbolKind.Function, score, span });
    }
  }
  const best = [0, 1, 2].flatMap((score) => found.filter((one) => one.score === score)).slice(0, MAX_SYMBOLS);
  best.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return best.flatMap(({ name, uri, kind, span }) => {
    const file = analysis.file(uri);
    const place = span ?? file?.contract.name?.span;
    if (!file || !place) return [];
    const { text } = file;
    // Only the lines up to the name are needed to compute the position.
    const range = locate.range({ text, lines: lineStartsOf(text.slice(0, place.end)) }, inner(text, place));
    const containerName = fileNameOf(folderOf(uri));
    return [{ name, kind, location: { uri, range }, containerName }];
  });
}

/** Returns the score of a name; lower is better. Undefined if the name does not match. */
function scoreOf(name: string, query: string): number | undefined {
  const at = name.indexOf(query);
  if (at >= 0) return at === 0 ? 0 : 1;
  return hasLettersInOrder(name, query) ? 2 : undefined;
}
