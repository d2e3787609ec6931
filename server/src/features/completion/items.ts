/** Proposals as items of the protocol, with no more words than the client needs. */

import {
  type CompletionItem,
  type CompletionItemDefaults,
  CompletionItemTag,
  type CompletionList,
  InsertTextFormat,
  InsertTextMode,
  type Range,
} from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, type Span, touches } from '../../text.ts';

import type { Locate } from '../locate.ts';
import type { Cursor, Docs, Offer, Proposal } from './proposal.ts';

/** What a client can do beside taking whole items. */
export interface CompletionClient {
  /** What it takes once for all items of a list (`completionList.itemDefaults`). */
  readonly defaults: ReadonlySet<string>;
  /** Keeps what is left to be said of the items until it is asked for, and gives the items' `data`; absent where nobody asks. */
  readonly defer?: ((untold: Untold) => number) | undefined;
}

/** What is left to be said of the items of an answer, by their labels. */
export interface Untold {
  readonly uri: string;
  readonly docs: ReadonlyMap<string, Docs>;
}

/** Takes each item whole. */
const SIMPLE: CompletionClient = { defaults: new Set() };

/**
 * A list where it is incomplete or has defaults, else the bare items. What all items share is worked out once. For a client
 * that takes it once, and asks for the words of an item, 23 keys go from 9.7 KB to 3.0, and 700 licences from 119 to 40.
 */
export function toItems(
  cursor: Cursor,
  offer: Offer,
  locate: Locate,
  client: CompletionClient = SIMPLE,
): CompletionItem[] | CompletionList {
  const { file, offset, analysis } = cursor;
  const { before = '', proposals } = offer;
  const rangeOf = (span: Span): Range | undefined =>
    isAtCursor(file, span, offset) ? locate.range(file, span) : undefined;
  const lineBreak = lineBreakOf(file.text);
  const range = rangeOf(offer.span);
  const untold = client.defer && new Map<string, Docs>();
  const defaults = defaultsFor(client.defaults, proposals, range);
  const seen = new Set<string>();
  const items: CompletionItem[] = [];
  for (let order = 0; order < proposals.length; order++) {
    const proposal = proposals[order] as Proposal;
    const { label, docs } = proposal;
    if (seen.has(label)) continue;
    seen.add(label);
    const own = proposal.span ? rangeOf(proposal.span) : range;
    if (!own) continue;
    const insert = before + (proposal.insert ?? label);
    const newText = lineBreak === '\n' ? insert : insert.replaceAll('\n', lineBreak);
    const { kind, rank = 5 } = proposal;
    // First by rank, then by order.
    const sortText = String(rank * 100_000 + order).padStart(7, '0');
    const item: CompletionItem =
      own === defaults?.editRange
        ? { label, kind, sortText }
        : { label, kind, sortText, textEdit: { range: own, newText } };
    if (!item.textEdit && newText !== label) item.textEditText = newText;
    if (proposal.detail) item.detail = proposal.detail;
    if (docs && untold) untold.set(label, docs);
    else if (docs) describe(item, docs, analysis, file);
    if (proposal.isSnippet && !defaults?.insertTextFormat) item.insertTextFormat = InsertTextFormat.Snippet;
    if (proposal.isSnippet && !defaults?.insertTextMode) item.insertTextMode = InsertTextMode.asIs;
    if (proposal.filter !== undefined && proposal.filter !== label) item.filterText = proposal.filter;
    if (proposal.isDeprecated) item.tags = [CompletionItemTag.Deprecated];
    items.push(item);
  }
  const data = untold && untold.size > 0 ? client.defer?.({ uri: file.uri, docs: untold }) : undefined;
  if (data !== undefined && defaults && client.defaults.has('data')) defaults.data = data;
  else if (data !== undefined) for (const item of items) if (untold?.has(item.label)) item.data = data;
  const isIncomplete = offer.isIncomplete === true;
  if (defaults && Object.keys(defaults).length > 0 && items.length > 0) {
    return { isIncomplete, itemDefaults: defaults, items };
  }
  return isIncomplete ? { isIncomplete, items } : items;
}

/** What a client that knows of defaults may be told once for all; undefined where it knows of none. */
function defaultsFor(
  known: ReadonlySet<string>,
  proposals: readonly Proposal[],
  editRange: Range | undefined,
): CompletionItemDefaults | undefined {
  if (known.size === 0) return undefined;
  // A list of which some are no snippets has no default: a client may insert plain text in another way than we would say.
  const isAllSnippets = proposals.every(({ isSnippet }) => isSnippet);
  return {
    ...(known.has('editRange') && editRange ? { editRange } : {}),
    ...(known.has('insertTextFormat') && isAllSnippets ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
    ...(known.has('insertTextMode') && isAllSnippets ? { insertTextMode: InsertTextMode.asIs } : {}),
  };
}

/** The item with what was left to be said of it; as it is where nothing was, or where its file is gone. */
export function tell(item: CompletionItem, { uri, docs }: Untold, analysis: Analysis): CompletionItem {
  const own = docs.get(item.label);
  const file = analysis.file(uri);
  if (own === undefined || !file) return item;
  const told = { ...item };
  describe(told, own, analysis, file);
  return told;
}

function describe(item: CompletionItem, docs: Docs, analysis: Analysis, file: SkillFile): void {
  const value = typeof docs === 'string' ? docs : docs(analysis, file);
  if (value) item.documentation = { kind: 'markdown', value };
}

/** Editors take an edit only where it holds the cursor and stays on its line; in folded text a word may do neither. */
function isAtCursor({ text }: SkillFile, place: Span, offset: number): boolean {
  return touches(place, offset) && !/[\r\n]/.test(text.slice(place.start, place.end));
}
