/** Paths that lead to another file, in the style of the paths that they replace. */
import { type Span, span, type TextEdit } from '../text.ts';
import { decoded } from '../vocabulary/dialect.ts';

/**
 * Returns the path from a folder to a file, in the style of the path that it replaces: with its `./` and its final `/`.
 * `base` and `target` are URIs. Never throws.
 */
export function relativePath(base: string, target: string, written: string): string {
  const from = base.split('/');
  const to = target.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++;
  const parts = [...from.slice(shared).map(() => '..'), ...to.slice(shared).map((part) => plainSegment(part))];
  const path = parts.join('/');
  const start = written.startsWith('./') && !path.startsWith('..') ? './' : '';
  return `${start}${path}${written.endsWith('/') ? '/' : ''}`;
}

/** Returns a segment of a URI as people write it, if it needs no encoding in Markdown, YAML and JSON. */
const plainSegment = (part: string): string => (/^[\w.@+~\-\p{L}\p{N}]+$/u.test(decoded(part)) ? decoded(part) : part);

/** Returns the edit that replaces only the segments of a path that differ; `span` is the span of `written`. Never throws. */
export function changedSegments({ start, end }: Span, written: string, path: string): readonly TextEdit[] {
  const before = written.split('/');
  const after = path.split('/');
  const most = Math.min(before.length, after.length) - 1;
  const isSame = (one = '', other = ''): boolean => decoded(one) === decoded(other);
  let first = 0;
  while (first < most && isSame(before[first], after[first])) first++;
  let last = 0;
  while (last < most - first && isSame(before.at(-1 - last), after.at(-1 - last))) last++;
  const lengthOf = (parts: readonly string[]): number => parts.reduce((sum, part) => sum + part.length + 1, 0);
  const place = span(start + lengthOf(before.slice(0, first)), end - lengthOf(before.slice(before.length - last)));
  return [{ span: place, newText: after.slice(first, after.length - last).join('/') }];
}
