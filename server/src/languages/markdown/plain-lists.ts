/** Lists of plain Markdown: items that begin with a paragraph, and what stands below it at their column. */
import { span } from '../../text.ts';
import type { ListItem } from './blocks.ts';
import { findBold } from './plain-bold.ts';
import { readPlainProse } from './plain-inline.ts';
import {
  isText,
  type Line,
  type Marker,
  markerAt,
  mayStandFurtherIn,
  nextContent,
  type Reading,
  readLazyTag,
  readToParagraphEnd,
} from './plain-lines.ts';
import { trimSpan } from './spans.ts';

/** Reads a block at a column, not alone; the result is its end, undefined where it is not plain. */
export type ReadInner = (reading: Reading, line: Line, column: number) => number | undefined;

/**
 * Reads the list whose first item stands in `line`, in a block whose content stands at `base`. Its items count where it
 * stands alone. The result is its end.
 */
export function readPlainList(
  reading: Reading,
  line: Line,
  base: number,
  alone: boolean,
  readInner: ReadInner,
): number | undefined {
  const { text, blocks } = reading;
  const first = markerAt(text, line.first);
  if (!first) return undefined;
  const items: ListItem[] = [];
  let end = line.end;
  let item: { readonly line: Line; readonly marker: Marker } | undefined = { line, marker: first };
  while (item) {
    const { marker } = item;
    const start = item.line.first;
    const from = start + marker.width;
    const column = item.line.indent + marker.width;
    if (!isText(text, from)) return undefined;
    const paragraphEnd = readToParagraphEnd(reading, from, column);
    if (paragraphEnd === undefined) return undefined;
    const isCounted = alone && marker.number !== undefined;
    const bold = isCounted ? findBold(text, from, paragraphEnd) : undefined;
    if (bold === 'unsure' || !readPlainProse(text, span(from, paragraphEnd), blocks)) return undefined;
    const innerEnd = readBelow(reading, column, readLazyTag(reading, column) ?? paragraphEnd, readInner);
    if (innerEnd === undefined) return undefined;
    end = innerEnd;
    if (isCounted) {
      const markerSpan = span(start, start + marker.length);
      const whole = { span: trimSpan(text, span(start, end)), markerSpan, textSpan: trimSpan(text, span(from, end)) };
      items.push(bold ? { boldSpan: bold, ...whole } : whole);
    }
    const next = nextItem(reading, base, first);
    if (next === 'unsure') return undefined;
    item = next;
  }
  if (alone && first.number !== undefined) {
    const whole = trimSpan(text, span(line.first, end));
    blocks.lists.push({ span: whole, delimiter: first.kind, first: first.number, runs: [{ items, by: 0 }] });
    return whole.end;
  }
  return end;
}

/** Reads what stands below an item's first paragraph at its column; the result is where the item ends. */
export function readBelow(reading: Reading, column: number, end: number, readInner: ReadInner): number | undefined {
  let itemEnd = end;
  for (let line = nextContent(reading); line && line.indent >= column; line = nextContent(reading)) {
    const further = line.indent - column;
    if (further > 0 && further < 4 && !mayStandFurtherIn(reading.text, line.first)) return undefined;
    const innerEnd = readInner(reading, line, column);
    if (innerEnd === undefined) return undefined;
    itemEnd = innerEnd;
  }
  return itemEnd;
}

/** The list's next item; undefined where it has ended. */
function nextItem(
  reading: Reading,
  base: number,
  { kind }: Marker,
): { readonly line: Line; readonly marker: Marker } | undefined | 'unsure' {
  const { text } = reading;
  const line = nextContent(reading);
  if (!line || line.indent < base) return undefined;
  const marker = markerAt(text, line.first);
  // So far in, it is code or goes on with the paragraph.
  if (line.indent > base + 3) return 'unsure';
  if (marker?.kind === kind) return { line, marker };
  // A list that begins with another number is one, or goes on with the paragraph; below code it may be none, too.
  return (marker?.number ?? 1) === 1 ? undefined : 'unsure';
}
