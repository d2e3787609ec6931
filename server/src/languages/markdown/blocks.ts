/** The parts of Markdown text: headings, fences, lists, links, prose. Spans are UTF-16 offsets into the parsed text. */
import { type Span, shift } from '../../text.ts';

/** A heading with `#` or underlined, outside of quotes, lists and HTML. */
export interface Heading {
  /** From 1 to 6. */
  readonly level: number;
  readonly span: Span;
  /** The source of the text without the markers; may be empty. */
  readonly textSpan: Span;
  readonly text: string;
}

/** A fenced code block, at any depth. */
export interface Fence {
  /** The span from the opening marker to the end of the closing marker. */
  readonly span: Span;
  /** The text after the opening marker, trimmed. */
  readonly infoSpan: Span;
  readonly info: string;
  /** The words of the info string in lower case; `lang` is the first word or an empty string. */
  readonly words: readonly string[];
  readonly lang: string;
  /** The lines of the content, with their indentation and the last line break. */
  readonly contentSpan: Span;
  /** The number of columns before the opening marker. */
  readonly indent: number;
  /** True if every content line that is not empty is indented by at least `indent` spaces. */
  readonly uniform: boolean;
  readonly closed: boolean;
  /** True inside a list or a quote. */
  readonly nested: boolean;
}

export interface Link {
  readonly kind: 'link' | 'image' | 'definition';
  /** The target with escapes and character references resolved. */
  readonly url: string;
  /** The source of the target, without angle brackets. */
  readonly urlSpan: Span;
  /** The text between the first brackets; for an autolink its target. */
  readonly textSpan: Span;
  readonly span: Span;
}

/** `<!-- text -->`; `text` is trimmed. */
export interface HtmlComment {
  readonly span: Span;
  readonly text: string;
}

export interface ListItem {
  readonly span: Span;
  /** The number with its `.` or `)`. */
  readonly markerSpan: Span;
  /** The text after the marker, trimmed. */
  readonly textSpan: Span;
  /** The bold text at the start of the item, without its asterisks. */
  readonly boldSpan: Span | undefined;
}

/** An ordered list outside of other lists and quotes. */
export interface OrderedList {
  readonly span: Span;
  readonly delimiter: string;
  /** The number of the first item. */
  readonly first: number;
  /** The items of each chunk that contains a part of the list. `itemsOf` adds the offset `by` to the items' spans. */
  readonly parts: readonly { readonly items: readonly ListItem[]; readonly by: number }[];
}

/** A block outside of other blocks. A `comment` is an HTML block with only comments. */
export interface MarkdownBlock {
  readonly kind: 'heading' | 'fence' | 'comment' | 'list' | 'other';
  readonly span: Span;
}

export interface MarkdownBlocks {
  readonly blocks: MarkdownBlock[];
  readonly headings: Heading[];
  readonly fences: Fence[];
  readonly lists: OrderedList[];
  readonly links: Link[];
  readonly codeSpans: Span[];
  readonly comments: HtmlComment[];
  /** The text of paragraphs and headings without code, HTML and link targets. */
  readonly prose: Span[];
  /** HTML comments without `-->`. */
  readonly unclosedComments: Span[];
  /** Parts that were only scanned for headings and fences, because parsing them would take too long. */
  readonly scanned: Span[];
}

/**
 * The result of parsing a string. `open` is true if a fence or an HTML block would continue after the end of the text.
 */
export interface Parsed {
  readonly blocks: MarkdownBlocks;
  readonly open: boolean;
}

/** Makes the blocks of an empty string. */
export const emptyBlocks = (): MarkdownBlocks => ({
  blocks: [],
  headings: [],
  fences: [],
  lists: [],
  links: [],
  codeSpans: [],
  comments: [],
  prose: [],
  unclosedComments: [],
  scanned: [],
});

/** Appends `from` to `to` with its spans moved by `by`, and joins a list that continues from one to the other. */
export function appendBlocks(to: MarkdownBlocks, from: MarkdownBlocks, by: number): void {
  const known = continueList(to, from, by) ? 1 : 0;
  append(to.blocks, from.blocks.slice(known), moveBlock, by);
  append(to.lists, from.lists.slice(known), moveList, by);
  append(to.headings, from.headings, moveHeading, by);
  append(to.fences, from.fences, moveFence, by);
  append(to.links, from.links, moveLink, by);
  append(to.codeSpans, from.codeSpans, shift, by);
  append(to.comments, from.comments, moveComment, by);
  append(to.prose, from.prose, shift, by);
  append(to.unclosedComments, from.unclosedComments, shift, by);
  appendScanned(to.scanned, from.scanned, by);
}

/** Joins the last list in `to` and the first list in `from` if they form one list. Returns whether it joined them. */
function continueList(to: MarkdownBlocks, from: MarkdownBlocks, by: number): boolean {
  const [next] = from.lists;
  const last = to.lists.at(-1);
  if (!next || !last || next.delimiter !== last.delimiter) return false;
  if (next.span.start !== from.blocks[0]?.span.start || last.span.end !== to.blocks.at(-1)?.span.end) return false;
  const whole = { start: last.span.start, end: next.span.end + by };
  to.lists[to.lists.length - 1] = { ...last, span: whole, parts: [...last.parts, ...movedParts(next, by)] };
  to.blocks[to.blocks.length - 1] = { kind: 'list', span: whole };
  return true;
}

/** Appends spans and joins adjacent spans. */
function appendScanned(to: Span[], from: readonly Span[], by: number): void {
  for (const each of from) {
    const { start, end } = shift(each, by);
    const last = to.at(-1);
    if (last?.end === start) to[to.length - 1] = { start: last.start, end };
    else to.push({ start, end });
  }
}

function append<T>(to: T[], from: readonly T[], move: (one: T, by: number) => T, by: number): void {
  for (const one of from) to.push(move(one, by));
}

const moveBlock = ({ kind, span }: MarkdownBlock, by: number): MarkdownBlock => ({ kind, span: shift(span, by) });

const moveList = (list: OrderedList, by: number): OrderedList => ({
  span: shift(list.span, by),
  delimiter: list.delimiter,
  first: list.first,
  parts: movedParts(list, by),
});

const movedParts = ({ parts }: OrderedList, by: number): OrderedList['parts'] =>
  parts.map((part) => ({ items: part.items, by: part.by + by }));

/**
 * Returns the items of a list with spans in the whole text. Computes the spans on demand, since few callers need
 * them.
 */
export const itemsOf = ({ parts }: OrderedList): readonly ListItem[] =>
  parts.flatMap(({ items, by }) => items.map((item) => moveItem(item, by)));

const moveComment = ({ span, text }: HtmlComment, by: number): HtmlComment => ({ span: shift(span, by), text });

const moveHeading = ({ level, span, textSpan, text }: Heading, by: number): Heading => ({
  level,
  span: shift(span, by),
  textSpan: shift(textSpan, by),
  text,
});

const moveFence = (fence: Fence, by: number): Fence => ({
  ...fence,
  span: shift(fence.span, by),
  infoSpan: shift(fence.infoSpan, by),
  contentSpan: shift(fence.contentSpan, by),
});

const moveLink = ({ kind, url, urlSpan, textSpan, span }: Link, by: number): Link => ({
  kind,
  url,
  urlSpan: shift(urlSpan, by),
  textSpan: shift(textSpan, by),
  span: shift(span, by),
});

const moveItem = ({ span, markerSpan, textSpan, boldSpan }: ListItem, by: number): ListItem => ({
  span: shift(span, by),
  markerSpan: shift(markerSpan, by),
  textSpan: shift(textSpan, by),
  boldSpan: boldSpan && shift(boldSpan, by),
});
