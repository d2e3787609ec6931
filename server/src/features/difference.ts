/** The one edit that turns a text into another: what lies between their common beginning and their common end. */
import type { TextEdit } from '../text.ts';

/** No edit where the texts are equal. The edit splits neither a surrogate pair nor a `\r\n`. */
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

/** The same line by line where there are as many lines as before, so that a cursor beside the changes stays where it is. */
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

/** Between the halves of a surrogate pair, or of `\r\n`. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const behind = text.charCodeAt(at);
  return (
    (before === 13 && behind === 10) || (before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000)
  );
}
