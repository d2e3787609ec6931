/**
 * The quick reader of common Markdown. Reads line by line and returns exactly the blocks of `parseByRemark`, or
 * undefined if the parser must read the text. `test/properties/markdown-quick.test.ts` checks that the blocks are
 * equal.
 */
import { decodeString } from 'micromark-util-decode-string';
import { htmlBlockNames, htmlRawNames } from 'micromark-util-html-tag-name';
import { type Span, span } from '../../text.ts';
import {
  appendBlocks,
  emptyBlocks,
  type ListItem,
  type MarkdownBlock,
  type MarkdownBlocks,
  type Parsed,
} from './blocks.ts';
import { describeFence, findOpening, isClosing } from './code-fences.ts';
import { readHtml } from './html.ts';
import { readInlines } from './inlines.ts';
import { findTarget } from './link-targets.ts';
import { trimSpan } from './spans.ts';

/** Line breaks without `\n`, and characters that the parser changes. */
const ODD = /[\0\ufeff]|\r(?!\n)/;

/** The maximum column of a nested block, which limits the recursion. */
const MAX_COLUMN = 60;

/** Returns the blocks of a string, with UTF-16 offsets; undefined if the parser must read the text. Never throws. */
export function readMarkdownQuickly(text: string): Parsed | undefined {
  if (ODD.test(text)) return undefined;
  const walk: MarkdownWalk = { text, source: text, blocks: emptyBlocks(), at: 0, open: false, depth: 0 };
  let definitions = 0;
  for (let line = nextContent(walk); line; line = nextContent(walk)) {
    if (line.indent > 3) return undefined;
    if (htmlAt(text, line.first) === 'block') {
      if (readHtmlBlock(walk, line, 0, true) === undefined) return undefined;
      continue;
    }
    if (line.indent > 0 && !mayBeIndented(text, line.first)) return undefined;
    if (readDefinition(walk, line)) {
      definitions++;
      continue;
    }
    const end = readBlock(walk, line, 0, true);
    if (end === undefined) return undefined;
    walk.blocks.blocks.push({ kind: kindOf(walk, line), span: span(line.first, end) });
  }
  // Other brackets may refer to the definitions.
  if (definitions > 0 && text.split('[', definitions + 2).length > definitions + 1) return undefined;
  return { blocks: walk.blocks, open: walk.open };
}

function kindOf({ text, blocks }: MarkdownWalk, { first }: Line): MarkdownBlock['kind'] {
  if (isFence(text, first)) return 'fence';
  if (blocks.headings.at(-1)?.span.start === first) return 'heading';
  return markerAt(text, first) ? 'list' : 'other';
}

/** Reads one block and moves to its end. Returns this end, or undefined if the parser must read the text. */
function readBlock(walk: MarkdownWalk, line: Line, column: number, alone: boolean): number | undefined {
  const { text } = walk;
  const { first } = line;
  if (column > MAX_COLUMN) return undefined;
  if (isFence(text, first)) return readFence(walk, line, column, !alone);
  if (text[first] === '>') return readQuote(walk, line, column, readInner);
  if (isHeading(text, first)) return readHeading(walk, line, alone);
  if (isRule(text, line)) {
    walk.at = line.next;
    return line.end;
  }
  if (markerAt(text, first)) return readList(walk, line, column, alone, readInner);
  if (htmlAt(text, first) === 'block') return readHtmlBlock(walk, line, column, false);
  return isText(text, first) ? readParagraph(walk, line, column) : undefined;
}

const readInner = (walk: MarkdownWalk, line: Line, column: number): number | undefined =>
  readBlock(walk, line, column, false);

function readHeading(walk: MarkdownWalk, line: Line, alone: boolean): number | undefined {
  const { text, blocks } = walk;
  const { first, end } = line;
  const textEnd = trimmedEnd(text, line);
  if ('#\t'.includes(text[textEnd - 1] as string)) return undefined;
  const [marker = '', signs = ''] = HEADING.exec(startOf(text, first)) ?? [];
  const textSpan = span(first + marker.length, textEnd);
  const source = text.slice(textSpan.start, textEnd);
  if (alone) blocks.headings.push({ level: signs.length, span: span(first, end), textSpan, text: source });
  if (!readProse(walk, textSpan)) return undefined;
  walk.at = line.next;
  return end;
}

function readParagraph(walk: MarkdownWalk, { first }: Line, column: number): number | undefined {
  const end = readToParagraphEnd(walk, first, column);
  if (end === undefined) return undefined;
  const { text, blocks } = walk;
  const below = lineAt(text, walk.at);
  if (column > 0 || !isUnderline(text, below)) return readProse(walk, span(first, end)) ? end : undefined;
  const textSpan = trimSpan(text, span(first, end));
  const place = span(first, below.end);
  const level = text[below.first] === '=' ? 1 : 2;
  blocks.headings.push({ level, span: place, textSpan, text: text.slice(textSpan.start, textSpan.end) });
  walk.at = below.next;
  return readProse(walk, textSpan) ? place.end : undefined;
}

/** Reads a fence that is closed in its own block or continues to the end of the text. */
function readFence(walk: MarkdownWalk, line: Line, column: number, nested: boolean): number | undefined {
  const { text, source, blocks } = walk;
  if (line.indent - column > 3) return undefined;
  const opening = text.slice(line.first, line.end);
  const marker = findOpening(opening.trimEnd());
  if (!marker) return undefined;
  for (let next = lineAt(text, line.next); next.start < text.length; next = lineAt(text, next.next)) {
    if (isBlankLine(next)) continue;
    if (next.indent < column) return undefined;
    if (text[next.first] !== marker.character || !isClosing(text.slice(next.first, next.end), marker)) continue;
    if (next.indent - column > 3) continue;
    const contentSpan = span(line.next, next.start);
    const place = span(line.first, next.end);
    blocks.fences.push(describeFence(source, place, contentSpan, marker, { closed: true, nested }));
    walk.at = next.next;
    return next.end;
  }
  if (nested) return undefined;
  const place = span(line.first, text.length);
  const contentSpan = span(line.next, text.length);
  blocks.fences.push(describeFence(source, place, contentSpan, marker, { closed: false, nested }));
  walk.open = true;
  walk.at = text.length;
  return text.length;
}

// Definitions of link targets.

/** `[label]: target "title"`, on a line that contains nothing else. */
const DEFINITION =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a target contains no control characters.
  /\[(?=[^\]\r\n]*[^\s\]])[^[\]\\\r\n]{1,999}\]:[ \t]*(?:<([^<>\\\r\n]*)>|([^\s<()\\\x00-\x1f\x7f][^\s()\\\x00-\x1f\x7f]*))(?:[ \t]+(?:"[^"\\\r\n]*"|'[^'\\\r\n]*'|\([^()\\\r\n]*\)))?[ \t]*(?=[\r\n]|$)/y;

/** Reads a definition on one line if the next line cannot belong to it; returns whether it is one. */
function readDefinition(walk: MarkdownWalk, line: Line): boolean {
  const { text, blocks } = walk;
  const match = text[line.first] === '[' ? matchAt(DEFINITION, text, line.first) : null;
  if (!match) return false;
  const next = lineAt(text, line.next);
  if (!isBlankLine(next) && next.start < text.length && !matchAt(DEFINITION, text, next.first)) return false;
  if (next.indent > 3 && !isBlankLine(next)) return false;
  const place = span(line.first, line.end);
  const [, enclosed, bare = ''] = match;
  const url = decodeString(enclosed ?? bare);
  const target = findTarget(text, place, url, ']:');
  const textSpan = span(place.start + 1, target.at);
  blocks.links.push({ kind: 'definition', url, urlSpan: target.urlSpan, textSpan, span: place });
  blocks.blocks.push({ kind: 'other', span: place });
  walk.at = line.next;
  return true;
}

// Blocks of HTML.

/** The name of a tag at the start of a line. */
const TAG_NAME = /<(\/?)([a-z][a-z\d-]*)(?=[\s/>]|$)/iy;

/** A tag whose values have no characters that are read in another way inside a paragraph. */
const TAG =
  /<(?:\/[a-z][a-z\d-]*[ \t]*|[a-z][a-z\d-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:"[^"\r\n]*"|'[^'\r\n]*'|[^\s"'=<>`/]+(?=[\s>])))?)*[ \t]*\/?)>/iy;

/** The maximum length of a line that is compared with `TAG`. */
const MAX_TAG_LINE = 10_000;

/**
 * Returns whether a line begins a block of HTML; `unsure` if only the parser knows this, or finds the end of the block.
 * `isInside` is true if the line above is prose in the same block.
 */
function htmlAt(text: string, at: number, isInside = false): 'none' | 'block' | 'unsure' {
  if (text[at] !== '<') return 'none';
  if (text.startsWith('<!--', at)) return 'block';
  const next = text[at + 1] ?? ' ';
  if ('!?'.includes(next)) return 'unsure';
  const [whole = '', slash, name = ''] = matchAt(TAG_NAME, text, at) ?? [];
  if (slash === undefined) return 'none';
  const known = name.toLowerCase();
  if (slash === '' && htmlRawNames.includes(known)) return text[at + whole.length] === '/' ? 'unsure' : 'block';
  const { end } = lineAt(text, at);
  if (htmlBlockNames.includes(known)) return text[at + whole.length] === '/' ? 'unsure' : 'block';
  // Other tags begin a block if they are alone on a line that does not continue a paragraph.
  if (isInside) return 'none';
  if (end - at > MAX_TAG_LINE) return 'unsure';
  const tag = matchAt(TAG, text, at);
  const rest = text.slice(at + (tag?.[0].length ?? 0), end);
  if (tag) return /^[ \t]*$/.test(rest) ? 'block' : 'none';
  return />[ \t]*$/.test(rest) ? 'unsure' : 'none';
}

/** The end of an element such as `<pre>`, which may contain empty lines. */
const RAW_END = new RegExp(`</(?:${htmlRawNames.join('|')})>`, 'gi');

/** Returns the offset of the text that ends a comment or an element such as `<pre>`; undefined for other elements. */
function findHtmlEnd(text: string, at: number): number | undefined {
  if (text.startsWith('<!--', at)) return text.indexOf('-->', at + 2);
  const [whole = '', slash, name = ''] = matchAt(TAG_NAME, text, at) ?? [];
  if (slash !== '' || !htmlRawNames.includes(name.toLowerCase())) return undefined;
  return matchAt(RAW_END, text, at + whole.length)?.index ?? -1;
}

/**
 * Reads HTML in a block whose content is at `column`: a comment up to the end of its last line, or an element up to an
 * empty line. Returns its end, or undefined if the parser must read the text.
 */
function readHtmlBlock(walk: MarkdownWalk, line: Line, column: number, alone: boolean): number | undefined {
  const { text, source, blocks } = walk;
  const close = findHtmlEnd(text, line.first);
  if (close === -1) return undefined;
  let last = line;
  while (last.next < text.length && (close === undefined || close >= last.next)) {
    const next = lineAt(text, last.next);
    if (close === undefined && isBlankLine(next)) break;
    if (!isBlankLine(next) && next.indent < column) return undefined;
    last = next;
  }
  walk.open = alone && close === undefined && last.next === text.length;
  walk.at = last.next;
  const place = span(alone ? line.start : line.first, walk.open ? text.length : last.end);
  const kind = readHtml(source, place, blocks) ? 'comment' : 'other';
  if (alone) blocks.blocks.push({ kind, span: place });
  return place.end;
}

// Lists whose items begin with a paragraph.

/** Reads an inner block at a column. Returns the end of the block, or undefined if the parser must read the text. */
type ReadInner = (walk: MarkdownWalk, line: Line, column: number) => number | undefined;

/**
 * Reads the list whose first item is on `line`, in a block whose content is at the column `base`. Only a list outside
 * of other blocks (`alone`) is added to `lists`. Returns its end.
 */
function readList(
  walk: MarkdownWalk,
  line: Line,
  base: number,
  alone: boolean,
  readInner: ReadInner,
): number | undefined {
  const { text, blocks } = walk;
  const first = markerAt(text, line.first);
  if (!first) return undefined;
  const items: ListItem[] = [];
  let end = line.end;
  let item: { readonly line: Line; readonly marker: Marker } | undefined = { line, marker: first };
  while (item) {
    const { marker } = item;
    const start = item.line.first;
    const from = start + marker.width;
    const afterMark = item.line.indent + marker.width - 1;
    const column = columnAfter(text, from - 1, afterMark);
    if (!isText(text, from)) return undefined;
    const paragraphEnd = readToParagraphEnd(walk, from, column);
    if (paragraphEnd === undefined) return undefined;
    const isKept = alone && marker.number !== undefined;
    const bold = isKept ? findBold(text, from, paragraphEnd) : undefined;
    if (bold === 'unsure' || !readProse(walk, span(from, paragraphEnd))) return undefined;
    const innerEnd = readBelow(walk, column, paragraphEnd, readInner);
    if (innerEnd === undefined) return undefined;
    end = innerEnd;
    if (isKept) {
      const markerSpan = span(start, start + marker.length);
      const [whole, textSpan] = [trimSpan(text, span(start, end)), trimSpan(text, span(from, end))];
      items.push({ span: whole, markerSpan, textSpan, boldSpan: bold });
    }
    const next = nextItem(walk, base, first);
    if (next === 'unsure') return undefined;
    item = next;
  }
  if (alone && first.number !== undefined) {
    const whole = trimSpan(text, span(line.first, end));
    blocks.lists.push({ span: whole, delimiter: first.kind, first: first.number, parts: [{ items, by: 0 }] });
    return whole.end;
  }
  return end;
}

/** Reads the following blocks at `column`; returns the end of the last block, or `end` if there are no blocks. */
function readBelow(walk: MarkdownWalk, column: number, end: number, readInner: ReadInner): number | undefined {
  let itemEnd = end;
  for (let line = nextContent(walk); line && line.indent >= column; line = nextContent(walk)) {
    const further = line.indent - column;
    if (further > 3 || (further > 0 && !mayBeIndented(walk.text, line.first))) return undefined;
    const innerEnd = readInner(walk, line, column);
    if (innerEnd === undefined) return undefined;
    itemEnd = innerEnd;
  }
  return itemEnd;
}

/** Returns the next item of the list, or undefined at the end of the list. */
function nextItem(
  walk: MarkdownWalk,
  base: number,
  { kind }: Marker,
): { readonly line: Line; readonly marker: Marker } | undefined | 'unsure' {
  const { text } = walk;
  const line = nextContent(walk);
  if (!line || line.indent < base) return undefined;
  const marker = markerAt(text, line.first);
  if (line.indent > base + 3) return 'unsure';
  if (marker?.kind === kind) return { line, marker };
  // An item with a number other than 1 may begin another list or continue the paragraph.
  return (marker?.number ?? 1) === 1 ? undefined : 'unsure';
}

// The bold text at the start of a list item.

/** One piece of the text between the two `**` of bold text. */
const INSIDE_BOLD = String.raw`[^*_[\]\x60<\\&\n]|&(?= )|\n|(?<=[A-Za-z\d])_(?=[A-Za-z\d])|\\[!-/:-@[-\x60{-~]|\x60[^\x60\n]+\x60|\[[^*_[\]\x60<>!\\&\n]+\](?:(?![([])|\([\w./#:?=%+-]+\))`;

/** Bold text. A `**` after a letter or digit always closes; after another character, only if no letter follows. */
const BOLD = new RegExp(
  String.raw`\*\*((?=[^\s*])(?:${INSIDE_BOLD})+?(?<=\S))\*\*(?![*_])(?:(?<=[\p{L}\p{Nd}]\*\*)|(?=[\s\p{P}]|$))`,
  'uy',
);

const ONE_MARK = /[*_](?![*_])/y;

/** Returns the bold text at `start`, without its asterisks; `unsure` if only the parser can find its end. */
function findBold(text: string, start: number, end: number): Span | 'unsure' | undefined {
  const first = text[start];
  if ((first !== '*' && first !== '_') || matchAt(ONE_MARK, text, start)) return undefined;
  const bold = matchAt(BOLD, text, start);
  if (!bold || start + bold[0].length > end) return 'unsure';
  return span(start + 2, start + 2 + (bold[1]?.length ?? 0));
}

// Spaces replace the `>` of a quote, so that the quote is read like the content below a list item. A line without
// `>` begins to the left of that content.

/** The maximum depth of quotes. Each quote inside a quote copies its text. */
const MAX_DEPTH = 4;

/** Reads the quote that begins on `line`, in a block whose content is at `column`; returns its end. */
function readQuote(walk: MarkdownWalk, line: Line, column: number, readInner: ReadInner): number | undefined {
  if (walk.depth === MAX_DEPTH) return undefined;
  const from = line.start;
  if (LATER_NUMBER.test(walk.text.slice(line.first, line.end))) return undefined;
  const lines = linesOfQuote(walk.text, line, column);
  const width = lines && widthOfMark(walk.text, lines);
  if (!lines || !width) return undefined;
  const inside = line.indent + width;
  // At this column, a line without `>` may begin a block in the quote or continue its paragraph.
  if (lines.some(({ isMarked, indent }) => !isMarked && indent >= inside)) return undefined;
  const { end: to, next } = lines.at(-1) ?? line;
  const quote: MarkdownWalk = {
    text: lines
      .map((one) => withoutMark(walk.text, one))
      .join('')
      .slice(0, to - from),
    source: walk.source.slice(from, to),
    blocks: emptyBlocks(),
    at: 0,
    open: false,
    depth: walk.depth + 1,
  };
  if (readBelow(quote, inside, 0, readInner) === undefined) return undefined;
  // A line without `>` that does not continue a paragraph is after the quote.
  if (nextContent(quote)) return undefined;
  appendBlocks(walk.blocks, quote.blocks, from);
  walk.at = next;
  return to;
}

/** A quote that begins with an item whose number is not 1. The parser reads the item as text in some positions. */
const LATER_NUMBER = /^[> ]*(?!1[.)])\d+[.)]/;

interface QuoteLine extends Line {
  /** True if the line begins with `>`. A line without it may continue a paragraph. */
  readonly isMarked: boolean;
}

const withoutMark = (text: string, { start, first, next, isMarked }: QuoteLine): string =>
  isMarked ? `${text.slice(start, first)} ${text.slice(first + 1, next)}` : text.slice(start, next);

/**
 * Returns the lines that may belong to the quote that begins on `opening`; undefined if the parser must read the text.
 */
function linesOfQuote(text: string, opening: Line, column: number): readonly QuoteLine[] | undefined {
  const lines: QuoteLine[] = [{ ...opening, isMarked: true }];
  for (let last = opening; ; ) {
    const next = lineAt(text, last.next);
    if (next.start >= text.length || isBlankLine(next)) return lines;
    const isMarked = text[next.first] === '>';
    if (isMarked) {
      if (next.indent !== opening.indent) return undefined;
    } else if (next.indent - column > 3) return undefined;
    else if (endsQuote(text, next, column)) return lines;
    else if (!isText(text, next.first)) return undefined;
    lines.push({ ...next, isMarked });
    last = next;
  }
}

/** Returns whether a line without `>` begins a block regardless of the lines above it in the quote. */
function endsQuote(text: string, line: Line, column: number): boolean {
  const { first, indent } = line;
  const marker = markerAt(text, first);
  if (marker) return indent < column || (marker.number ?? 1) === 1;
  return isHeading(text, first) || isFence(text, first) || isRule(text, line);
}

/** Returns the width of `>` with its space; undefined if it differs between lines, or if a tab follows. */
function widthOfMark(text: string, lines: readonly QuoteLine[]): number | undefined {
  let width: number | undefined;
  for (const { first, end, isMarked } of lines) {
    if (!isMarked || first + 1 === end) continue;
    if (text[first + 1] === '\t') return undefined;
    const own = text[first + 1] === ' ' ? 2 : 1;
    if (own !== (width ?? own)) return undefined;
    width = own;
  }
  return width ?? 1;
}

/** Adds the prose, code spans, links and comments at `place`; returns false if the parser must read the text. */
const readProse = ({ text, source, blocks }: MarkdownWalk, place: Span): boolean =>
  readInlines({ text, source, place }, blocks) !== undefined;

/** Matches a sticky pattern at an offset. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

// Lines, and the starts of paragraphs, items and headings.

/** The state of the reader; `at` is the start of the next line. */
interface MarkdownWalk {
  /** The text to read. Inside a quote, spaces replace its `>`. */
  readonly text: string;
  /** The original text. */
  readonly source: string;
  readonly blocks: MarkdownBlocks;
  at: number;
  /** True if a fence continues after the end of the text. */
  open: boolean;
  /** The number of quotes around the text. */
  readonly depth: number;
}

/** A line. `first` is the first character that is not a space, or `end` on a line without text. */
interface Line {
  readonly start: number;
  readonly first: number;
  /** The end without the line break. */
  readonly end: number;
  /** The start of the next line. */
  readonly next: number;
  /** The column of `first`. A tab ends at a multiple of four columns. */
  readonly indent: number;
}

/** Returns the column after the space or tab at `at`, whose column is `column`. */
const columnAfter = (text: string, at: number, column: number): number =>
  text[at] === '\t' ? column + 4 - (column % 4) : column + 1;

function lineAt(text: string, start: number): Line {
  const found = text.indexOf('\n', start);
  const next = found < 0 ? text.length : found + 1;
  const end = found < 0 ? next : found - (text[found - 1] === '\r' ? 1 : 0);
  let first = start;
  let indent = 0;
  for (; first < end && (text[first] === ' ' || text[first] === '\t'); first++)
    indent = columnAfter(text, first, indent);
  return { start, first, end, next, indent };
}

const isBlankLine = ({ first, end }: Line): boolean => first === end;

/** Returns the next line that is not empty; undefined at the end. */
function nextContent({ text, at }: MarkdownWalk): Line | undefined {
  for (let start = at; start < text.length; ) {
    const line = lineAt(text, start);
    if (!isBlankLine(line)) return line;
    start = line.next;
  }
  return undefined;
}

/** Returns the end of a line without the spaces at its end. */
function trimmedEnd(text: string, { first, end }: Line): number {
  let at = end;
  while (at > first && text[at - 1] === ' ') at--;
  return at;
}

const HEADING = /^(#{1,6}) (?=[^\s#])/;

/** The start of a line that begins or continues prose, and not another block or the underline of a heading. */
const TEXT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: characters outside of ASCII, except spaces, have no meaning.
  /(?:[^\x00-\x7f\s]|[A-Za-z("'.,:;/$%@{}[!|^?)`&\\\]]|~(?!~~)|\*+(?=[^\s*])|_+(?=[^\s_])|(?:\++|-+|-{2,} +)(?=[^\s\-+*_])|=+(?=[^\s=])|#+(?=[^\s#])|\d+(?![.)\d])|\d+[.)](?=\S)|<(?![?!]))/y;

/** The number of characters at the start of a line that determine the kind of its block. */
const LOOK = 16;

const startOf = (text: string, at: number): string => text.slice(at, at + LOOK);

const isHeading = (text: string, at: number): boolean => text[at] === '#' && HEADING.test(startOf(text, at));

const isFence = (text: string, at: number): boolean => text.startsWith('```', at) || text.startsWith('~~~', at);

/** Returns whether a line is prose. `isInside` is true if the line above is prose in the same block. */
const isText = (text: string, at: number, isInside = false): boolean =>
  matchAt(TEXT, text, at) !== null && !isFence(text, at) && htmlAt(text, at, isInside) === 'none';

/** Returns whether a line directly below a paragraph makes it a heading. */
const isUnderline = (text: string, { start, end }: Line): boolean =>
  (text[start] === '-' || text[start] === '=') && /^(?:-{2,}|={2,})$/.test(text.slice(start, end));

const isRule = (text: string, { first, end }: Line): boolean =>
  '-*_'.includes(text[first] as string) && /^(?:-{3,}|\*{3,}|_{3,})$/.test(text.slice(first, end));

/** The marker of a list item. */
interface Marker {
  /** `-`, `*` or `+`; for a number the `.` or `)` after it. */
  readonly kind: string;
  readonly number: number | undefined;
  /** The length without the following spaces. */
  readonly length: number;
  /** The length with the following spaces, or with one tab. */
  readonly width: number;
}

const BULLET = /^([-*+])( {1,4}|\t)(?=\S)/;
const NUMBERED = /^(\d{1,9})([.)])( {1,4}|\t)(?=\S)/;

function markerAt(text: string, at: number): Marker | undefined {
  const start = startOf(text, at);
  const bullet = BULLET.exec(start);
  if (bullet) return { kind: bullet[1] as string, number: undefined, length: 1, width: bullet[0].length };
  const numbered = NUMBERED.exec(start);
  if (!numbered) return undefined;
  const [whole, digits = '', kind = ''] = numbered;
  return { kind, number: Number(digits), length: digits.length + 1, width: whole.length };
}

/** A line that is not a definition, because the two words after its colon cannot be a target and a title. */
const NO_DEFINITION = /^\[[^[\]\n\\]*\]: *[^\s<]+ +[^\s"'(]/;

/** Returns whether up to three more spaces of indentation do not change how the line is read. */
const mayBeIndented = (text: string, at: number): boolean =>
  markerAt(text, at) !== undefined || isText(text, at) || interrupts(text, at);

/**
 * Reads the paragraph that begins at `from`, in a block whose content is at `column`, and moves past it. Returns its
 * end, including trailing spaces; undefined if the parser must read the text.
 */
function readToParagraphEnd(walk: MarkdownWalk, from: number, column: number): number | undefined {
  const { text } = walk;
  let last = lineAt(text, from);
  for (;;) {
    const next = lineAt(text, last.next);
    if (next.start >= text.length || isBlankLine(next)) break;
    const answer = continues(text, next, column);
    if (answer === 'unsure') return undefined;
    if (answer === 'no') break;
    last = next;
  }
  const source = text.slice(from, last.end);
  // `[name]:` may define a link's target.
  if (source[0] === '[' && source.includes(']:') && !NO_DEFINITION.test(source)) return undefined;
  walk.at = last.next;
  return last.end;
}

/** Returns whether a line directly below a line of a paragraph continues the paragraph. */
function continues(text: string, line: Line, column: number): 'yes' | 'no' | 'unsure' {
  const { first, indent } = line;
  const further = indent - column;
  if (further > 3) return 'yes';
  if (column === 0 && isUnderline(text, line)) return 'no';
  if (further < 0 && isRule(text, line)) return 'no';
  const marker = markerAt(text, first);
  if (further < 0 && (marker || (indent === 0 && isHeading(text, first)))) return 'no';
  // Inside a paragraph, only the number 1 begins a list; an item with another number may belong to a list around the
  // paragraph.
  if (marker && (marker.number ?? 1) === 1) return 'no';
  if (marker) return further === 0 && column === 0 ? 'yes' : 'unsure';
  if (interrupts(text, first)) return 'no';
  if (column === 0 && htmlAt(text, first, true) === 'block') return 'no';
  return isText(text, first, further >= 0) ? 'yes' : 'unsure';
}

/** Returns whether a line ends a paragraph and begins another block, regardless of the indentation. */
const interrupts = (text: string, at: number): boolean => text[at] === '>' || isFence(text, at) || isHeading(text, at);
