/** Places in files, as the wire gives them. */
import type { Range, ShownSegment, WirePlace } from '../../messages.ts';

type Position = Range['start'];

/** True where `a` stands nearer to the file's beginning. */
export const before = (a: Position, b: Position): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character);

/** True where `inner` stands in `outer`, its ends included: a cursor touches what it follows. */
export const holds = (outer: Range, inner: Range): boolean =>
  !before(inner.start, outer.start) && !before(outer.end, inner.end);

/** True where two ranges share a character. */
const crosses = (a: Range, b: Range): boolean => before(a.start, b.end) && before(b.start, a.end);

const sameRange = (a: Range, b: Range): boolean => holds(a, b) && holds(b, a);

/**
 * The segments that a cursor or selection lights up. A cursor within an expression means all that was printed by it (a loop
 * prints it several times); a selection means all that it covers.
 */
export function litSegments(
  segments: readonly ShownSegment[],
  cursor: WirePlace | undefined,
): ReadonlySet<ShownSegment> {
  if (!cursor) return new Set();
  const { uri, range } = cursor;
  const here = segments.filter(({ source }) => source?.uri === uri);
  const around = here.filter(({ source }) => source && holds(source.range, range));
  if (around.length === 0) {
    return new Set(
      before(range.start, range.end) ? here.filter(({ source }) => source && crosses(source.range, range)) : [],
    );
  }
  // Between two neighbours the later one is meant: the cursor stands before its first character.
  const closest = around.reduce((best, one) =>
    best.source && one.source && holds(best.source.range, one.source.range) ? one : startsLater(best, one),
  );
  return new Set(
    around.filter(({ source }) => source && closest.source && sameRange(source.range, closest.source.range)),
  );
}

const startsLater = (a: ShownSegment, b: ShownSegment): ShownSegment =>
  a.source && b.source && !holds(b.source.range, a.source.range) && before(a.source.range.start, b.source.range.start)
    ? b
    : a;

/** `scene.skill.md:12`, lines counted from 1 as editors do. */
export const placeText = (name: string, { start }: Range): string => `${name}:${start.line + 1}`;
