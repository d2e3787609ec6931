/** Finds the source of link targets, because remark returns only the resolved targets. */
import { type Span, span } from '../../text.ts';

/**
 * Finds the first target in `place` that follows a `separator` (`](` or `]:`) and equals `url`. Finds the last target
 * if no target equals `url`, for example because of escapes. The text of an image may contain the separator, too. `at`
 * is the offset of the separator.
 */
export function findTarget(
  text: string,
  place: Span,
  url: string,
  separator: string,
): { readonly at: number; readonly urlSpan: Span } {
  let found = { at: place.end, urlSpan: span(place.end, place.end) };
  // Limits the time for a string with thousands of separators.
  for (let at = place.start, tries = 0; tries < 100; tries++, at++) {
    at = text.indexOf(separator, at);
    if (at < 0 || at >= place.end) break;
    const urlSpan = targetAt(text, at + 2, place.end);
    found = { at, urlSpan };
    if (urlSpan.end - urlSpan.start === url.length && text.startsWith(url, urlSpan.start)) break;
    if (separator === ']:') break;
  }
  return found;
}

function targetAt(text: string, from: number, limit: number): Span {
  let start = from;
  while (start < limit && /\s/.test(text[start] ?? '')) start++;
  if (text[start] === '<') {
    const close = text.indexOf('>', start);
    return span(start + 1, close < 0 || close > limit ? limit : close);
  }
  let end = start;
  for (let depth = 0; end < limit; end++) {
    const character = text[end] ?? '';
    if (/\s/.test(character) || (character === ')' && depth-- === 0)) break;
    if (character === '(') depth++;
    if (character === '\\' && end + 1 < limit) end++;
  }
  return span(start, end);
}
