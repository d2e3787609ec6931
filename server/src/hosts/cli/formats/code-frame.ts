/** The line that a finding is in, with carets under the place. */
import { type LineStarts, lineAt, lineEnd, type Span, visible } from '../../../text.ts';
import { columnsOf } from './columns.ts';

export interface CodeFrame {
  /** One-based. */
  readonly line: number;
  readonly source: string;
  /** Blanks and carets, to stand under `source`. */
  readonly carets: string;
}

/** In UTF-16 units: how much of a long line is shown, and how much of that before the place. */
const WINDOW = 120;
const BEFORE = 40;

/** Frames the first line of a place; an empty place, and one behind the line's end, has one caret. */
export function codeFrame(text: string, lines: LineStarts, place: Span): CodeFrame {
  const number = lineAt(lines, place.start);
  const first = lines[number] ?? 0;
  const last = lineEnd(text, lines, number);
  const isLong = last - first > WINDOW;
  const from = isLong ? Math.max(first, place.start - BEFORE) : first;
  const to = isLong ? Math.min(last, from + WINDOW) : last;
  const start = Math.min(place.start, to);
  const end = Math.min(Math.max(place.end, start), to);
  const head = (from > first ? '…' : '') + visible(text.slice(from, start));
  const marked = visible(text.slice(start, end));
  const tail = visible(text.slice(end, to)) + (to < last ? '…' : '');
  return {
    line: number + 1,
    source: (head + marked + tail).trimEnd(),
    carets: ' '.repeat(columnsOf(head)) + '^'.repeat(Math.max(1, columnsOf(marked))),
  };
}
