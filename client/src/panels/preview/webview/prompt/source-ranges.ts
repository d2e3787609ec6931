/** Maps ranges of a file to the segments of the prompt that come from these ranges. */
import type { FileRange } from '../../../kit/file-range.ts';
import type { Range, ShownSegment } from '../../messages.ts';
import type { ShownPrompt } from '../../shown-prompt.ts';

type Position = Range['start'];

/** Returns true if `a` is before `b` in the file. */
export const isBefore = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character);

/** Returns true if `outer` contains `inner`. A cursor directly after a range is inside it. */
export const contains = (outer: Range, inner: Range): boolean =>
  !isBefore(inner.start, outer.start) && !isBefore(outer.end, inner.end);

/** Returns true if two ranges share a character. */
const overlaps = (a: Range, b: Range): boolean => isBefore(a.start, b.end) && isBefore(b.start, a.end);

const sameRange = (a: Range, b: Range): boolean => contains(a, b) && contains(b, a);

/**
 * Returns the segments to highlight: all output of the expression at the cursor, which can be several segments if it is
 * in a loop, or all segments that come from the selection.
 */
function highlightedSegments(
  segments: readonly ShownSegment[],
  cursor: FileRange | undefined,
): ReadonlySet<ShownSegment> {
  if (!cursor) return new Set();
  const { uri, range } = cursor;
  const here = segments.filter(({ source }) => source?.uri === uri);
  const around = here.filter(({ source }) => source && contains(source.range, range));
  if (around.length === 0) {
    return new Set(
      isBefore(range.start, range.end) ? here.filter(({ source }) => source && overlaps(source.range, range)) : [],
    );
  }
  // If the cursor is between two adjacent ranges, use the later range.
  const closest = around.reduce((best, one) =>
    best.source && one.source && contains(best.source.range, one.source.range) ? one : startsLater(best, one),
  );
  return new Set(
    around.filter(({ source }) => source && closest.source && sameRange(source.range, closest.source.range)),
  );
}

const startsLater = (a: ShownSegment, b: ShownSegment): ShownSegment =>
  a.source &&
  b.source &&
  !contains(b.source.range, a.source.range) &&
  isBefore(a.source.range.start, b.source.range.start)
    ? b
    : a;

/**
 * Returns the output for the cursor: the segments that the expression at the cursor printed, and the line of prose at
 * the cursor.
 */
export function cursorIn(
  prompt: Pick<ShownPrompt, 'prompt' | 'segments'> | undefined,
  cursor: FileRange | undefined,
): { readonly values: readonly ShownSegment[]; readonly line: OffsetRange | undefined } {
  const segments = [...highlightedSegments(prompt?.segments ?? [], cursor)];
  const values = segments.filter(({ kind }) => kind !== 'authored' && kind !== 'fixed');
  const prose = segments.find(({ kind }) => kind === 'authored');
  const line = prompt && prose && cursor ? lineOf(prompt.prompt, prose, cursor.range.start.line) : undefined;
  return { values, line };
}

interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the range in the prompt that corresponds to one source line of a prose segment. */
function lineOf(prompt: string, { start, end, source }: ShownSegment, line: number): OffsetRange {
  let at = start;
  for (let next = source?.range.start.line ?? line; next < line; next++) {
    const feed = prompt.indexOf('\n', at);
    if (feed < 0 || feed + 1 >= end) break;
    at = feed + 1;
  }
  const feed = prompt.indexOf('\n', at);
  return { start: at, end: Math.min(end, feed < 0 ? end : Math.max(feed, at + 1)) };
}
