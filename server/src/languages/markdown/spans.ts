/** Trims, subtracts and searches sorted spans. */
import { type Span, span } from '../../text.ts';

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Returns the span without white space at its ends, or an empty span if there is only white space. */
export function trimSpan(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return from === to ? span(start, start) : span(from, to);
}

/** Returns the index of the first item that begins at or after `offset`. `items` must be sorted by start. */
function firstFrom(items: readonly { readonly span: Span }[], offset: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.span.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the `items` that begin inside `place`. `items` must be sorted by start. */
export function within<T extends { readonly span: Span }>(items: readonly T[], place: Span): T[] {
  return items.slice(firstFrom(items, place.start), firstFrom(items, place.end));
}

/** Removes `holes` from `spans`. Both lists must be sorted, without overlaps. */
export function subtract(spans: readonly Span[], holes: readonly Span[]): Span[] {
  const left: Span[] = [];
  let next = 0;
  for (const { start, end } of spans) {
    let from = start;
    while (next < holes.length && (holes[next] as Span).end <= from) next++;
    for (let i = next; i < holes.length && (holes[i] as Span).start < end; i++) {
      const hole = holes[i] as Span;
      if (from < hole.start) left.push(span(from, hole.start));
      from = Math.max(from, hole.end);
    }
    if (from < end) left.push(span(from, end));
  }
  return left;
}
