/** Computes the edits between two strings. */
import type { TextEdit } from '../text.ts';

/**
 * Returns the edit that replaces the text between the common start and the common end of two strings. Returns no edit
 * if the strings are equal. The edit does not split a surrogate pair or a `\r\n`.
 */
export function differenceOf(before: string, after: string): readonly TextEdit[] {
  if (before === after) return [];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  while (start > 0 && (isInside(before, start) || isInside(after, start))) start--;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  while (tail > 0 && (isInside(before, before.length - tail) || isInside(after, after.length - tail))) tail--;
  return [{ span: { start, end: before.length - tail }, newText: after.slice(start, after.length - tail) }];
}

/**
 * Returns one edit for each changed line if both strings have the same number of lines, so that a cursor on another
 * line does not move.
 */
export function lineDifferences(before: string, after: string): readonly TextEdit[] {
  const lines = before.split('\n');
  const others = after.split('\n');
  if (lines.length !== others.length) return differenceOf(before, after);
  let start = 0;
  return lines.flatMap((line, at) => {
    const offset = start;
    start += line.length + 1;
    return differenceOf(line, others[at] ?? '').map(({ span, newText }) => ({
      span: { start: offset + span.start, end: offset + span.end },
      newText,
    }));
  });
}

/** Returns whether an offset is inside a surrogate pair or a `\r\n`. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return (before === 13 && after === 10) || (before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000);
}
