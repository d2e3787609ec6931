/** Proposals as items of the protocol. */
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
import { lineBreakOf, type Span, touches, visible } from '../../text.ts';
import type { Locate } from '../locate.ts';
import { isThere, markup } from '../markdown.ts';
import { type Cursor, type Docs, type Offer, type Proposal, Rank } from './proposal.ts';

/** What a client can do beside taking whole items. */
export interface CompletionClient {
  /** The properties that it takes once for all items of a list (`completionList.itemDefaults`). */
  readonly defaults: ReadonlySet<string>;
  /** Keeps documentation until the client asks for it, and gives the `data` of its items; absent where it never asks. */
  readonly defer?: ((deferred: DeferredDocs) => number) | undefined;
  /** False where it takes plain text alone. */
  readonly takesSnippets: boolean;
  /** Its command that opens suggestions, given `{auto: true}`. */
  readonly suggestCommand?: string | undefined;
}

/** Documentation of an answer's items that is made when the user looks at one, by their labels. */
export interface DeferredDocs {
  readonly uri: string;
  readonly docs: ReadonlyMap<string, Docs>;
}

const SIMPLE: CompletionClient = { defaults: new Set(), takesSnippets: true };

/** A list where it is incomplete or has defaults, else the bare items. Of several proposals of one label the first counts. */
export function toItems(
  cursor: Cursor,
  offer: Offer,
  locate: Locate,
  client: CompletionClient = SIMPLE,
): CompletionItem[] | CompletionList {
  const { file, offset, analysis } = cursor;
  const { before = '', isIncomplete = false } = offer;
  const proposals = client.takesSnippets ? offer.proposals : offer.proposals.map(inPlainText);
  const rangeOf = (span: Span): Range | undefined =>
    isAtCursor(file, span, offset) ? locate.range(file, span) : undefined;
  const lineBreak = lineBreakOf(file.text);
  const range = rangeOf(offer.span);
  const deferred = new Map<string, Docs>();
  const defaults = defaultsFor(client.defaults, proposals, range);
  const seen = new Set<string>();
  const items: CompletionItem[] = [];
  for (const [order, proposal] of proposals.entries()) {
    const { label, kind, docs, rank = Rank.known, insert = label, filter = label } = proposal;
    const own = proposal.span ? rangeOf(proposal.span) : range;
    if (seen.has(label)) continue;
    seen.add(label);
    if (!own) continue;
    const newText = (before + insert).replaceAll('\n', lineBreak);
    const item: CompletionItem = { label, kind, sortText: `${rank}${String(order).padStart(6, '0')}` };
    if (own !== defaults.editRange) item.textEdit = { range: own, newText };
    else if (newText !== label) item.textEditText = newText;
    if (proposal.detail) item.detail = visible(proposal.detail);
    if (docs && client.defer) deferred.set(label, docs);
    else if (docs) describe(item, docs, analysis, file);
    if (proposal.isSnippet && !defaults.insertTextFormat) item.insertTextFormat = InsertTextFormat.Snippet;
    if (proposal.isSnippet && !defaults.insertTextMode) item.insertTextMode = InsertTextMode.asIs;
    if (filter !== label) item.filterText = filter;
    if (proposal.opensNext && client.suggestCommand !== undefined) {
      item.command = { title: 'Suggest', command: client.suggestCommand, arguments: [{ auto: true }] };
    }
    if (proposal.isDeprecated) item.tags = [CompletionItemTag.Deprecated];
    items.push(item);
  }
  const data = deferred.size > 0 ? client.defer?.({ uri: file.uri, docs: deferred }) : undefined;
  if (data !== undefined && client.defaults.has('data')) defaults.data = data;
  else if (data !== undefined) for (const item of items) if (deferred.has(item.label)) item.data = data;
  if (Object.keys(defaults).length > 0 && items.length > 0) return { isIncomplete, itemDefaults: defaults, items };
  return isIncomplete ? { isIncomplete, items } : items;
}

function inPlainText(proposal: Proposal): Proposal {
  const { isSnippet, insert, ...rest } = proposal;
  return isSnippet && insert !== undefined ? { ...rest, insert: plainText(insert) } : proposal;
}

/** The properties that all items share, as far as the client takes them once for all. */
function defaultsFor(
  known: ReadonlySet<string>,
  proposals: readonly Proposal[],
  editRange: Range | undefined,
): CompletionItemDefaults {
  // Plain text among snippets may be inserted in another way, so a mixed list has no default.
  const isAllSnippets = proposals.every(({ isSnippet }) => isSnippet);
  return {
    ...(known.has('editRange') && editRange ? { editRange } : {}),
    ...(known.has('insertTextFormat') && isAllSnippets ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
    ...(known.has('insertTextMode') && isAllSnippets ? { insertTextMode: InsertTextMode.asIs } : {}),
  };
}

/** The item with its documentation; as it is where it has none, or where its file is gone. */
export function resolveDocs(item: CompletionItem, { uri, docs }: DeferredDocs, analysis: Analysis): CompletionItem {
  const own = docs.get(item.label);
  const file = analysis.file(uri);
  if (own === undefined || !file) return item;
  const resolved = { ...item };
  describe(resolved, own, analysis, file);
  return resolved;
}

function describe(item: CompletionItem, docs: Docs, analysis: Analysis, file: SkillFile): void {
  const value = typeof docs === 'function' ? docs(analysis, file) : docs;
  if (isThere(value)) item.documentation = markup(value);
}

/** Editors take an edit only where it holds the cursor and stays on its line; a word in folded text may do neither. */
function isAtCursor({ text }: SkillFile, place: Span, offset: number): boolean {
  return touches(place, offset) && !/[\r\n]/.test(text.slice(place.start, place.end));
}

// Snippets as the text that they insert, for clients that take plain text alone.

const PLACE = /\\([$}\\])|\$\{(\d+):((?:\\.|[^\\{}])*)\}|\$\{(\d+)\|([^|]*)\|\}|\$\{?(\d+)\}?/g;

/** The text before anyone types: defaults and first choices are taken, mirrors are filled in. */
export function plainText(snippet: string): string {
  const defaults = new Map<string, string>();
  for (const [, , stop, text, choice, choices] of snippet.matchAll(PLACE)) {
    if (stop !== undefined) defaults.set(stop, unescaped(text));
    if (choice !== undefined) defaults.set(choice, firstOf(choices));
  }
  return snippet.replace(
    PLACE,
    (_, escaped?: string, stop?: string, text?: string, choice?: string, choices?: string, mirror?: string) => {
      if (escaped !== undefined) return escaped;
      if (stop !== undefined) return unescaped(text);
      return choice !== undefined ? firstOf(choices) : (defaults.get(mirror ?? '') ?? '');
    },
  );
}

const unescaped = (text = ''): string => text.replace(/\\([$}\\])/g, '$1');

const firstOf = (choices = ''): string => choices.split(',')[0] ?? '';
