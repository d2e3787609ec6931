/**
 * Lines of block YAML read on their own, without a parser, so that they are known even where the document is broken.
 * Flow collections and scalars of several lines are not followed.
 */
import { afterBreak, endOfLine, lineStart, type Span, span, touches } from '../../text.ts';

/** One line. `start` and `end` leave out the line break; all numbers are offsets into the text. */
export interface BlockLine {
  readonly start: number;
  readonly end: number;
  /** Where the next line starts; the limit at the last line. */
  readonly next: number;
  /** The first character that is neither blank nor tab; `end` on an empty line. */
  readonly first: number;
  /** The `-` (or `?`) indicators in front of the content. */
  readonly dashes: readonly number[];
  /** The key as written, quotes included. */
  readonly key?: Span;
  /** The `:` behind the key. */
  readonly colon?: number;
  /** What stands behind the colon or the dashes, without trailing blanks and comment; empty where nothing does. */
  readonly value: Span;
  /** The `#` of a comment. */
  readonly comment?: number;
}

export const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

const endsToken = (character: string | undefined): boolean => character === undefined || /[ \t\r\n]/.test(character);

export const isEmptyLine = (line: BlockLine): boolean => line.first === line.end || line.comment === line.first;

export const columnOf = (line: BlockLine, offset: number): number => offset - line.start;

/** The column that continuation lines of the line's value must exceed. */
export function ownColumn(line: BlockLine): number {
  if (line.key) return columnOf(line, line.key.start);
  const dash = line.dashes.at(-1);
  return dash === undefined ? columnOf(line, line.first) - 1 : columnOf(line, dash);
}

/** Reads the line that starts at `start`; the text ends at `limit`. */
export function readLine(text: string, start: number, limit = text.length): BlockLine {
  const end = endOfLine(text, start, limit);
  const next = afterBreak(text, end, limit);
  const first = skipBlanks(text, start, end);
  const dashes: number[] = [];
  let at = first;
  while (at < end && (text[at] === '-' || text[at] === '?') && (at + 1 >= end || isBlank(text[at + 1]))) {
    dashes.push(at);
    at = skipBlanks(text, at + 1, end);
  }
  const line = { start, end, next, first, dashes };
  if (text[at] === '#' && at < end) return { ...line, value: span(at, at), comment: at };
  const colon = findColon(text, at, end);
  if (colon === undefined) return { ...line, ...valueBetween(text, at, end) };
  const key = span(at, trimEnd(text, at, colon));
  return { ...line, key, colon, ...valueBetween(text, skipBlanks(text, colon + 1, end), end) };
}

/** The `:` that ends a key starting at `at`; a key is a plain or a quoted scalar here. */
function findColon(text: string, at: number, end: number): number | undefined {
  const quote = text[at];
  let from = at;
  if (quote === '"' || quote === "'") {
    const close = closingQuote(text, at, end);
    if (close === undefined) return undefined;
    from = skipBlanks(text, close + 1, end);
    return text[from] === ':' && from < end && (from + 1 >= end || isBlank(text[from + 1])) ? from : undefined;
  }
  if (quote === '[' || quote === '{') return undefined;
  const line = text.slice(from, end);
  let colon = line.indexOf(':');
  while (colon >= 0 && colon + 1 < line.length && !isBlank(line[colon + 1])) colon = line.indexOf(':', colon + 1);
  if (colon < 0) return undefined;
  for (let hash = line.indexOf('#'); hash >= 0 && hash < colon; hash = line.indexOf('#', hash + 1)) {
    if (isBlank(text[from + hash - 1])) return undefined;
  }
  return from + colon;
}

function valueBetween(text: string, start: number, end: number): { value: Span; comment?: number } {
  const comment = findComment(text, start, end);
  const value = span(start, Math.max(start, trimEnd(text, start, comment ?? end)));
  return comment === undefined ? { value } : { value, comment };
}

/** The `#` that begins a comment behind a value starting at `start`: not within quotes, and with a blank before it. */
function findComment(text: string, start: number, end: number): number | undefined {
  if (!text.slice(start, end).includes('#')) return undefined;
  const quotesCount = /["'[{]/.test(text[start] ?? '');
  let before = ',';
  for (let i = start; i < end; i++) {
    const character = text[i] as string;
    if (character === '#' && (i === start || isBlank(text[i - 1]))) return i;
    if (quotesCount && (character === '"' || character === "'") && /[,:[{]/.test(before)) {
      const close = closingQuote(text, i, end);
      if (close === undefined) return undefined;
      i = close;
    }
    if (!isBlank(character)) before = character;
  }
  return undefined;
}

/** The quote that closes the one at `open`, before `end`. */
export function closingQuote(text: string, open: number, end: number): number | undefined {
  const quote = text[open];
  for (let i = open + 1; i < end; i++) {
    if (quote === '"' && text[i] === '\\') i++;
    else if (text[i] === quote) {
      if (quote === '"' || text[i + 1] !== "'") return i;
      i++;
    }
  }
  return undefined;
}

/** The lines below `line`, up to the end of the text at `limit`. */
export function* linesBelow(text: string, line: BlockLine, limit = text.length): Generator<BlockLine> {
  let below = line;
  while (below.next < limit) {
    below = readLine(text, below.next, limit);
    yield below;
  }
}

/** The value of a line with its continuation: the lines below that stand deeper than `column`. */
export function valueExtent(text: string, line: BlockLine, column: number, limit = text.length): Span {
  let end = line.value.end;
  if (line.comment !== undefined) return line.value;
  for (const below of linesBelow(text, line, limit)) {
    if (below.first === below.end) continue;
    if (columnOf(below, below.first) <= column || below.comment === below.first) break;
    const comment = findComment(text, below.first, below.end);
    end = trimEnd(text, below.first, comment ?? below.end);
    if (comment !== undefined) break;
  }
  return span(line.value.start, end);
}

/** The end of the last line at or below `line` that stands deeper than `column`. */
export function blockEnd(text: string, line: BlockLine, column: number, limit = text.length): number {
  let end = line.end;
  for (const below of linesBelow(text, line, limit)) {
    if (below.first === below.end) continue;
    if (columnOf(below, below.first) <= column) break;
    end = below.end;
  }
  return end;
}

export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text[at])) at++;
  return at;
}

export function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && endsToken(text[at - 1])) at--;
  return at;
}

/** The span within the quotes, which need not be closed; the whole span where the cursor is outside of them. */
export function unquoted(text: string, whole: Span, offset: number): Span {
  const { start, end } = whole;
  if (start === end || (text[start] !== '"' && text[start] !== "'")) return whole;
  const inner = span(start + 1, closingQuote(text, start, end) ?? end);
  return touches(inner, offset) ? inner : whole;
}

/** The line above that is neither empty nor a comment. */
export function lineBefore(text: string, line: BlockLine): BlockLine | undefined {
  let at = line.start;
  while (at > 0) {
    const before = readLine(text, lineStart(text, text[at - 1] === '\n' && text[at - 2] === '\r' ? at - 2 : at - 1));
    if (!isEmptyLine(before)) return before;
    at = before.start;
  }
  return undefined;
}

/** True for a line that begins with one word and a colon, as an entry does and prose does not. */
export const isEntry = (text: string, { key, dashes }: BlockLine): boolean =>
  key !== undefined &&
  dashes.length === 0 &&
  /^(["']?)[\w$.-]+\1$/.test(text.slice(key.start, Math.min(key.end, key.start + 200)));
