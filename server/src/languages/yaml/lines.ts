/**
 * Reads single lines of block YAML without a parser, so that broken documents are supported too. Flow collections and
 * scalars that span several lines are not followed. All offsets are UTF-16 code units; no function throws.
 */
import { afterBreak, endOfLine, lineStart, type Span, span, touches } from '../../text.ts';

/** A line of block YAML. `start` and `end` exclude the line break; all numbers are offsets into the text. */
export interface BlockLine {
  readonly start: number;
  readonly end: number;
  /** The start of the next line, or the limit for the last line. */
  readonly next: number;
  /** The first character that is not a space or a tab; `end` on an empty line. */
  readonly first: number;
  /** The `-` and `?` indicators before the content. */
  readonly dashes: readonly number[];
  /** The key, including its quotes. */
  readonly key?: Span;
  /** The `:` after the key. */
  readonly colon?: number;
  /** The text after the colon or the dashes, without trailing spaces and comment; otherwise an empty span. */
  readonly value: Span;
  /** The `#` of a comment. */
  readonly comment?: number;
}

/** Returns whether a character is a space or a tab. */
export const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

const endsToken = (character: string | undefined): boolean => character === undefined || /[ \t\r\n]/.test(character);

/** Returns whether a line is empty or only a comment. */
export const isEmptyLine = (line: BlockLine): boolean => line.first === line.end || line.comment === line.first;

/** Returns the zero-based column of an offset on the line. */
export const columnOf = (line: BlockLine, offset: number): number => offset - line.start;

/** Returns the column that continuation lines of the line's value must exceed; -1 for a value at the margin. */
export function ownColumn(line: BlockLine): number {
  if (line.key) return columnOf(line, line.key.start);
  const dash = line.dashes.at(-1);
  return dash === undefined ? columnOf(line, line.first) - 1 : columnOf(line, dash);
}

/** Reads the line that starts at the offset `start`. The YAML ends at `limit`. */
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

/**
 * Returns the offset of the `:` after the key that starts at `at`. Finds only keys that are plain or quoted scalars.
 */
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

/**
 * Returns the offset of the `#` that starts a comment after the value at `start`. The `#` must be outside quotes and
 * after a space.
 */
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

/**
 * Returns the offset of the quote before `end` that closes the quote at `open`; undefined if that quote is not closed.
 */
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

/** Yields the lines below `line`, up to the end of the YAML at `limit`. */
export function* linesBelow(text: string, line: BlockLine, limit = text.length): Generator<BlockLine> {
  let below = line;
  while (below.next < limit) {
    below = readLine(text, below.next, limit);
    yield below;
  }
}

/**
 * Returns the span of a line's value, including the lines below that are indented deeper than `column` and continue the
 * value.
 */
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

/** Returns the end of a block: `line`, and the following lines that are indented deeper than `column`. */
export function blockEnd(text: string, line: BlockLine, column: number, limit = text.length): number {
  let end = line.end;
  for (const below of linesBelow(text, line, limit)) {
    if (below.first === below.end) continue;
    if (columnOf(below, below.first) <= column) break;
    end = below.end;
  }
  return end;
}

/** Returns the offset of the first character at or after `from` that is not a space or a tab, or `end`. */
export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text[at])) at++;
  return at;
}

/** Returns the offset `end` moved back over the white space before it, but not before `start`. */
export function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && endsToken(text[at - 1])) at--;
  return at;
}

/**
 * Returns the span inside the quotes, which may be unclosed, or the whole span if the cursor (`offset`) is outside the
 * quotes.
 */
export function unquoted(text: string, whole: Span, offset: number): Span {
  const { start, end } = whole;
  if (start === end || (text[start] !== '"' && text[start] !== "'")) return whole;
  const inner = span(start + 1, closingQuote(text, start, end) ?? end);
  return touches(inner, offset) ? inner : whole;
}

/** Returns the nearest line above `line` that is neither empty nor a comment. */
export function lineBefore(text: string, line: BlockLine): BlockLine | undefined {
  let at = line.start;
  while (at > 0) {
    const before = readLine(text, lineStart(text, text[at - 1] === '\n' && text[at - 2] === '\r' ? at - 2 : at - 1));
    if (!isEmptyLine(before)) return before;
    at = before.start;
  }
  return undefined;
}

/** Returns whether a line begins with one word and a colon, like an entry and unlike prose. */
export const isEntry = (text: string, { key, dashes }: BlockLine): boolean =>
  key !== undefined &&
  dashes.length === 0 &&
  /^(["']?)[\w$.-]+\1$/.test(text.slice(key.start, Math.min(key.end, key.start + 200)));
