/**
 * Text as every other module sees it: UTF-16 strings, half-open spans of offsets, lines, edits.
 * Nothing here knows what a skill is.
 */

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

/** True where `offset` stands in the span or at either of its ends (a cursor touches what it follows). */
export const touches = ({ start, end }: Span, offset: number): boolean => start <= offset && offset <= end;

/**
 * The index of the first of some parts that an offset touches, -1 where it touches none; found by bisection. The parts are
 * in the order of the text, and none stands within another; those that an alias repeats all stand in its place.
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

/** That part itself. */
export const findTouching = <Part>(
  parts: readonly Part[],
  offset: number,
  spanOf: (part: Part) => Span,
): Part | undefined => parts[indexTouching(parts, offset, spanOf)];

/** The span of a part that has one. */
export const spanOf = ({ span }: { readonly span: Span }): Span => span;

export const contains = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

export const shift = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

/** The offset at which each line starts. A line ends with `\n`, `\r\n` or a lone `\r`, as in LSP. */
export type LineStarts = readonly number[];

export function lineStartsOf(text: string): LineStarts {
  const starts = [0];
  if (!text.includes('\r')) {
    // The engine's own search takes a quarter of the loop below: 0.16 ms instead of 0.65 for 300 KB, at every edit.
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

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

/** The line break that the text uses first, `\n` where it has none; inserted lines take it over. */
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
