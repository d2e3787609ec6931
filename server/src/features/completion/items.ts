/** Converts proposals to completion items of the protocol. */
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
import { lineBreakOf, lineStart, type Span, showInvisible, span, touches } from '../../text.ts';
import type { Locate } from '../locate.ts';
import { isNonEmpty, markup } from '../markdown.ts';
import { type Cursor, type Docs, type Offer, type Proposal, Rank } from './proposal.ts';

/** The optional completion capabilities of a client. */
export interface CompletionClient {
  /** The supported default properties of a list (`completionList.itemDefaults`). */
  readonly defaults: ReadonlySet<string>;
  /**
   * Stores documentation until the client requests it, and returns the `data` of the items. Absent if the client never
   * requests documentation.
   */
  readonly defer?: ((deferred: DeferredDocs) => number) | undefined;
  /** False if the client supports only plain text. */
  readonly supportsSnippets: boolean;
  /**
   * True if the client adds the indentation of the current line to each line of a snippet (`indentsSnippets` of the
   * capabilities).
   */
  readonly indentsSnippets?: boolean;
  /** True if the user decides whether an item replaces the rest of the word after the cursor. */
  readonly supportsInsertReplace?: boolean;
  /** The client command that opens suggestions; its argument is `{auto: true}`. */
  readonly suggestCommand?: string | undefined;
}

/** The documentation of the items in a reply, by label, which is created when the user selects an item. */
export interface DeferredDocs {
  readonly uri: string;
  readonly docs: ReadonlyMap<string, Docs>;
}

const SIMPLE: CompletionClient = { defaults: new Set(), supportsSnippets: true };

/**
 * Returns a list if the result is incomplete or has defaults, otherwise only the items. If several proposals have the
 * same label, only the first proposal is used.
 */
export function toItems(
  cursor: Cursor,
  offer: Offer,
  locate: Locate,
  client: CompletionClient = SIMPLE,
): CompletionItem[] | CompletionList {
  const { file, offset, analysis } = cursor;
  const { before = '', isIncomplete = false } = offer;
  const proposals = client.supportsSnippets ? offer.proposals : offer.proposals.map(inPlainText);
  const rangeOf = (replaced: Span): EditRange | undefined => {
    if (!isAtCursor(file, replaced, offset)) return undefined;
    const replace = locate.range(file, replaced);
    const isWord = client.supportsInsertReplace && isRestOfWord(file.text.slice(offset, replaced.end));
    return isWord ? { insert: locate.range(file, span(replaced.start, offset)), replace } : replace;
  };
  const lineBreak = lineBreakOf(file.text);
  const range = rangeOf(offer.span);
  const indentation = /^[ \t]*/.exec(file.text.slice(lineStart(file.text, offset), offset))?.[0] ?? '';
  const deferred = new Map<string, Docs>();
  const defaults = defaultsFor(client, proposals, range);
  const seen = new Set<string>();
  const items: CompletionItem[] = [];
  for (const [order, proposal] of proposals.entries()) {
    const { label, kind, docs, rank = Rank.known, insert = label, filter = label } = proposal;
    const place = proposal.span ? rangeOf(proposal.span) : range;
    if (seen.has(label)) continue;
    seen.add(label);
    if (!place) continue;
    const whole = before + insert;
    const shown = proposal.isSnippet && client.indentsSnippets ? withoutIndentation(whole, indentation) : whole;
    const newText = shown.replaceAll('\n', lineBreak);
    const own = 'insert' in place && !canPrecedeWord(newText, proposal) ? place.replace : place;
    const item: CompletionItem = { label, kind, sortText: `${rank}${String(order).padStart(6, '0')}` };
    if (own !== defaults.editRange) item.textEdit = { ...('insert' in own ? own : { range: own }), newText };
    else if (newText !== label) item.textEditText = newText;
    if (proposal.detail) item.detail = showInvisible(proposal.detail);
    if (docs && client.defer) deferred.set(label, docs);
    else if (docs) describe(item, docs, analysis, file);
    if (proposal.isSnippet && !defaults.insertTextFormat) item.insertTextFormat = InsertTextFormat.Snippet;
    // Neovim 0.10.4 reads a text without a format as a snippet.
    if (!proposal.isSnippet && /[$\\}]/.test(newText)) item.insertTextFormat = InsertTextFormat.PlainText;
    if (proposal.isSnippet && !client.indentsSnippets && !defaults.insertTextMode)
      item.insertTextMode = InsertTextMode.asIs;
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

/** The replaced range; two ranges if an item can also keep the rest of the word. */
type EditRange = Range | { readonly insert: Range; readonly replace: Range };

/** Returns whether the replaced text after the cursor is only the rest of a name, without quotes and delimiters. */
const isRestOfWord = (rest: string): boolean => /[\p{L}\p{N}_]/u.test(rest) && !/["'`{}[\]()<>|,#]/.test(rest);

/** Returns whether the rest of a word can follow the inserted text, which may be a call. */
const canPrecedeWord = (newText: string, { isSnippet }: Proposal): boolean =>
  isSnippet ? /^\w+\(.*\)$/.test(newText) : !/["'`\s]$|[\r\n]/.test(newText);

/** Removes the indentation of the current line from the lines after the first. */
const withoutIndentation = (text: string, indentation: string): string =>
  indentation === '' ? text : text.replaceAll(`\n${indentation}`, '\n');

function inPlainText(proposal: Proposal): Proposal {
  const { isSnippet, insert, ...rest } = proposal;
  return isSnippet && insert !== undefined ? { ...rest, insert: plainText(insert) } : proposal;
}

/** Returns the properties that all items share and that the client supports as defaults. */
function defaultsFor(
  { defaults: known, indentsSnippets = false }: CompletionClient,
  proposals: readonly Proposal[],
  editRange: EditRange | undefined,
): CompletionItemDefaults {
  // Plain text and snippets have different insert modes, so a mixed list has no default.
  const isAllSnippets = proposals.every(({ isSnippet }) => isSnippet);
  return {
    ...(known.has('editRange') && editRange ? { editRange } : {}),
    ...(known.has('insertTextFormat') && isAllSnippets ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
    ...(known.has('insertTextMode') && isAllSnippets && !indentsSnippets
      ? { insertTextMode: InsertTextMode.asIs }
      : {}),
  };
}

/** Adds the documentation to an item, unless the item has no documentation or its file was deleted. */
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
  if (isNonEmpty(value)) item.documentation = markup(value);
}

/**
 * Returns whether an edit contains the cursor and is on one line, as editors require. In folded YAML text, an edit may
 * span several lines.
 */
function isAtCursor({ text }: SkillFile, place: Span, offset: number): boolean {
  return touches(place, offset) && !/[\r\n]/.test(text.slice(place.start, place.end));
}

const PLACE = /\\([$}\\])|\$\{(\d+):((?:\\.|[^\\{}])*)\}|\$\{(\d+)\|([^|]*)\|\}|\$\{?(\d+)\}?/g;

/** Converts a snippet to plain text, with its defaults, first choices and repeated tab stops filled in. */
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
