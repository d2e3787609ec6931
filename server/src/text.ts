/** Spans, positions, lines and edits of text. All offsets and columns are in UTF-16 code units. */

/** A half-open range `[start, end)` of UTF-16 offsets into one text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A zero-based line and a zero-based UTF-16 column, as in LSP. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** Replaces the text of `span` with `newText`; an edit with an empty span inserts text. */
export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

export const span = (start: number, end: number): Span => ({ start, end });

export const sliceOf = (text: string, { start, end }: Span): string => text.slice(start, end);

/** Returns whether `offset` is inside the span or at one of its ends. */
export const touches = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;

/**
 * Returns the index of the first part that an offset touches, or -1. The parts must be in the order of the text and
 * must not overlap; several parts may have the same span.
 */
export function indexTouching<Part>(parts: readonly Part[], offset: number, spanOf: (part: Part) => Span): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spanOf(parts[middle] as Part).end < offset) low = middle + 1;
    else high = middle;
  }
  return low < parts.length && touches(spanOf(parts[low] as Part), offset) ? low : -1;
}

/** Returns the first part that an offset touches; see `indexTouching` for the order of the parts. */
export const findTouching = <Part>(
  parts: readonly Part[],
  offset: number,
  spanOf: (part: Part) => Span,
): Part | undefined => parts[indexTouching(parts, offset, spanOf)];

export const spanOf = ({ span }: { readonly span: Span }): Span => span;

export const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** Returns whether two spans overlap. Spans that only touch do not. */
export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

export const shift = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

/** The start offset of each line. A line ends with `\n`, `\r\n` or a lone `\r`, as in LSP. */
export type LineStarts = readonly number[];

export function lineStartsOf(text: string): LineStarts {
  const starts = [0];
  if (text.includes('\r')) {
    for (let end = endOfLine(text, 0); end < text.length; end = endOfLine(text, starts.at(-1) ?? 0)) {
      starts.push(afterBreak(text, end));
    }
  } else for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns whether a UTF-16 code unit is `\n` or `\r`. */
const isBreak = (code: number): boolean => code === 10 || code === 13;

/** Returns the start of the line that contains `offset`, not before `floor`. The first line starts after a byte order mark. */
export function lineStart(text: string, offset: number, floor = 0): number {
  let start = offset;
  while (start > floor && !isBreak(text.charCodeAt(start - 1))) start--;
  if (start === 0 && offset > 0 && text[0] === '\uFEFF') return 1;
  // No line starts between `\r` and `\n`.
  if (start > floor && text[start - 1] === '\r' && text[start] === '\n') return lineStart(text, start - 1, floor);
  return start;
}

/**
 * Returns the offset of the line break that ends the line with `offset`, or `limit` if no line break precedes `limit`.
 */
export function endOfLine(text: string, offset: number, limit = text.length): number {
  let end = offset;
  while (end < limit && !isBreak(text.charCodeAt(end))) end++;
  return end;
}

/** Returns the offset after the line break at `end`, or `limit` if the text ends at `end`. */
export const afterBreak = (text: string, end: number, limit = text.length): number =>
  end >= limit ? limit : end + (text[end] === '\r' && text[end + 1] === '\n' && end + 1 < limit ? 2 : 1);

/** Returns the start of the line below the line that contains `offset`, or `limit` for the last line. */
export const nextLine = (text: string, offset: number, limit = text.length): number =>
  afterBreak(text, endOfLine(text, offset, limit), limit);

/** Returns the number of bytes of a character in UTF-8. A lone surrogate has three bytes. */
export const bytesOf = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;

/** Returns the number of bytes in UTF-8 of the characters that start between two offsets. */
export function byteLength(text: string, start = 0, end = text.length): number {
  let bytes = 0;
  for (let at = start; at < end; ) {
    const codePoint = text.codePointAt(at) ?? 0;
    bytes += bytesOf(codePoint);
    at += codePoint > 0xffff ? 2 : 1;
  }
  return bytes;
}

/** Returns the zero-based line that contains `offset`. */
export function lineAt(lines: LineStarts, offset: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function positionAt(lines: LineStarts, offset: number): Position {
  const line = lineAt(lines, offset);
  return { line, character: offset - (lines[line] as number) };
}

/** Returns the offset of a position. A position after the end of the line or the text is moved to the end. */
export function offsetAt(text: string, lines: LineStarts, { line, character }: Position): number {
  if (line >= lines.length) return text.length;
  const start = lines[line] as number;
  return Math.min(start + character, lineEnd(text, lines, line));
}

/** Returns the offset of the line break that ends `line`. */
export function lineEnd(text: string, lines: LineStarts, line: number): number {
  let end = lines[line + 1] ?? text.length;
  if (text[end - 1] === '\n' && line + 1 < lines.length) end--;
  if (text[end - 1] === '\r' && line + 1 < lines.length) end--;
  return Math.max(end, lines[line] ?? 0);
}

/** Returns the first line break in the text, for use in inserted lines, or `\n` for text without line breaks. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

export const rangeOf = (lines: LineStarts, { start, end }: Span): Range => ({
  start: positionAt(lines, start),
  end: positionAt(lines, end),
});

/** Applies edits in any order; insertions at the same offset keep their order. Throws a RangeError if edits overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let result = '';
  let at = 0;
  for (const { span: place, newText } of sorted) {
    if (place.start < at) throw new RangeError(`Two edits overlap at offset ${place.start}.`);
    result += text.slice(at, place.start) + newText;
    at = place.end;
  }
  return result + text.slice(at);
}

/** Copies a part of a longer text, so that the longer text does not stay in memory. */
export const copyOf = (text: string): string => ` ${text}`.slice(1);

/** The scripts in which joiners change the shape of letters. */
export const JOINING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Thaana', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** Joiners after such letters or in an emoji, and selectors that choose the form of the character before them. */
const VISIBLE_EFFECT = [
  `[${JOINING_SCRIPTS}][\\u200c\\u200d]`,
  '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]\\u200d(?=\\p{Extended_Pictographic})',
  '[\\p{Extended_Pictographic}0-9#*][\\ufe0e\\ufe0f]',
  '\\p{Unified_Ideograph}[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
].join('|');

/** Characters that control a terminal, change the writing direction or are invisible, including tabs and line breaks. */
const INVISIBLE_CHARACTERS = new RegExp(
  `[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb](?<!${VISIBLE_EFFECT})`,
  'gu',
);

/**
 * Shows authors' text on one line: `␊` for a line break, `␛` for an escape, `\u202e` for a direction override. Every
 * field of a report passes through this function (docs/security.md, "What is sent").
 */
export const showInvisible = (text: string): string =>
  text.replace(INVISIBLE_CHARACTERS, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\t') return '  ';
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : escapedUnits(character);
  });

/** Applies `showInvisible` to every string in plain data. Other values and the names of keys do not change. */
export function showFields<Value>(value: Value): Value {
  const shown = (one: unknown): unknown => {
    if (typeof one === 'string') return showInvisible(one);
    if (Array.isArray(one)) return one.map(shown);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, field]) => [key, shown(field)]));
  };
  return shown(value) as Value;
}

/** Formats a message for menus, notifications and boxes, which do not render backticks. */
export const asTitle = (message: string): string => showInvisible(message).replace(/`([^`]+)`/g, '‘$1’');

/** Makes invisible characters in a string visible, but keeps its line breaks `\n`. */
export const showInvisibleInLines = (text: string): string => text.split('\n').map(showInvisible).join('\n');

/**
 * Escapes the invisible characters in JSON text as `\uXXXX`, so that a terminal can print the text. The JSON value does
 * not change.
 */
export const escapeInvisibleInJson = (json: string): string =>
  NOT_PRINTABLE_ASCII.test(json)
    ? json.replace(INVISIBLE_CHARACTERS, (character) => (character === '\n' ? character : escapedUnits(character)))
    : json;

/** Most JSON text has only printable characters of ASCII and line feeds, which is fast to find out. */
const NOT_PRINTABLE_ASCII = /[^\n\x20-\x7e]/;

const escapedUnits = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
