/** Texts as all modules see them: UTF-16 strings, half-open spans of offsets, lines, edits. */

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

/** Replaces the text of `span` by `newText`; an empty span inserts. */
export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

export const span = (start: number, end: number): Span => ({ start, end });

export const sliceOf = (text: string, { start, end }: Span): string => text.slice(start, end);

/** True where `offset` stands in the span or at either of its ends. */
export const touches = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;

/**
 * The index of the first part that an offset touches, -1 where it touches none. The parts are in the order of the text and
 * do not overlap; several may have the same span.
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

/** The first part that an offset touches, as `indexTouching` finds it. */
export const findTouching = <Part>(
  parts: readonly Part[],
  offset: number,
  spanOf: (part: Part) => Span,
): Part | undefined => parts[indexTouching(parts, offset, spanOf)];

export const spanOf = ({ span }: { readonly span: Span }): Span => span;

export const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

export const shift = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

/** The offset at which each line starts. A line ends with `\n`, `\r\n` or a lone `\r`, as in LSP. */
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

/** Whether a UTF-16 unit is `\n` or `\r`. */
const isBreak = (code: number): boolean => code === 10 || code === 13;

/** The start of the line that holds `offset`, not before `floor`; a byte order mark stands before the first line. */
export function lineStart(text: string, offset: number, floor = 0): number {
  let start = offset;
  while (start > floor && !isBreak(text.charCodeAt(start - 1))) start--;
  if (start === 0 && offset > 0 && text[0] === '\uFEFF') return 1;
  // Between `\r` and `\n` no line starts.
  if (start > floor && text[start - 1] === '\r' && text[start] === '\n') return lineStart(text, start - 1, floor);
  return start;
}

/** The offset of the line break that ends the line of `offset`, `limit` where there is none before it. */
export function endOfLine(text: string, offset: number, limit = text.length): number {
  let end = offset;
  while (end < limit && !isBreak(text.charCodeAt(end))) end++;
  return end;
}

/** The offset behind the line break at `end`; `limit` where that is the end of the text. */
export const afterBreak = (text: string, end: number, limit = text.length): number =>
  end >= limit ? limit : end + (text[end] === '\r' && text[end + 1] === '\n' && end + 1 < limit ? 2 : 1);

/** The start of the line below the one of `offset`; `limit` where there is none. */
export const nextLine = (text: string, offset: number, limit = text.length): number =>
  afterBreak(text, endOfLine(text, offset, limit), limit);

/** The zero-based line that holds `offset`, found by bisection. */
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

/** The offset of a position; one past the end of a line or of the text is brought back to that end. */
export function offsetAt(text: string, lines: LineStarts, { line, character }: Position): number {
  if (line >= lines.length) return text.length;
  const start = lines[line] as number;
  return Math.min(start + character, lineEnd(text, lines, line));
}

/** The offset just before the line break of `line`. */
export function lineEnd(text: string, lines: LineStarts, line: number): number {
  let end = lines[line + 1] ?? text.length;
  if (text[end - 1] === '\n' && line + 1 < lines.length) end--;
  if (text[end - 1] === '\r' && line + 1 < lines.length) end--;
  return Math.max(end, lines[line] ?? 0);
}

/** The line break that the text uses first, for lines to be inserted; `\n` where it has none. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

export const rangeOf = (lines: LineStarts, { start, end }: Span): Range => ({
  start: positionAt(lines, start),
  end: positionAt(lines, end),
});

/** Applies edits that do not overlap, given in any order; insertions at one place keep their order. */
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

/** A copy of a text that was cut out of a longer one, which would otherwise stay in memory with it. */
export const copyOf = (text: string): string => ` ${text}`.slice(1);

/** What controls a terminal, turns the direction of writing, or cannot be seen; a tab and a line break count, too. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/** A text for people to read, with what they could not see written out: `␛` for an escape, `\u202e` for an override. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\t') return '  ';
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : escapedUnits(character);
  });

/** A message as a title, where backticks would be shown as they are: in menus, notifications and boxes. */
export const asTitle = (message: string): string => visible(message).replace(/`([^`]+)`/g, '‘$1’');

/** `visible` of several lines. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** JSON that a terminal can be shown: the same value, with what people could not see written as `\uXXXX`. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN, (character) => (character === '\n' ? character : escapedUnits(character)));

const escapedUnits = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
