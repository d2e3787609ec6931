/** Lists whose items begin with a paragraph; see the contract in `quick-markdown.ts`. */
import { span } from '../../../text.ts';
import type { ListItem } from '../blocks.ts';
import { trimSpan } from '../spans.ts';
import { findBold } from './quick-bold.ts';
import { readProse } from './quick-inline.ts';
import {
  isText,
  type Line,
  type Marker,
  markerAt,
  mayBeIndented,
  nextContent,
  readToParagraphEnd,
  type Walk,
} from './quick-lines.ts';

/** Reads a block inside another one at a column; the result is its end, undefined where the parser must decide. */
export type ReadInner = (walk: Walk, line: Line, column: number) => number | undefined;

/**
 * Reads the list whose first item stands in `line`, in a block whose content stands at `base`. Only a list that is `alone`,
 * in no other block, is kept with its items. The result is its end.
 */
export function readList(
  walk: Walk,
  line: Line,
  base: number,
  alone: boolean,
  readInner: ReadInner,
): number | undefined {
  const { text, blocks } = walk;
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
    const paragraphEnd = readToParagraphEnd(walk, from, column);
    if (paragraphEnd === undefined) return undefined;
    const isKept = alone && marker.number !== undefined;
    const bold = isKept ? findBold(text, from, paragraphEnd) : undefined;
    if (bold === 'unsure' || !readProse(text, span(from, paragraphEnd), blocks)) return undefined;
    const innerEnd = readBelow(walk, column, paragraphEnd, readInner);
    if (innerEnd === undefined) return undefined;
    end = innerEnd;
    if (isKept) {
      const markerSpan = span(start, start + marker.length);
      const [whole, textSpan] = [trimSpan(text, span(start, end)), trimSpan(text, span(from, end))];
      items.push({ span: whole, markerSpan, textSpan, boldSpan: bold });
    }
    const next = nextItem(walk, base, first);
    if (next === 'unsure') return undefined;
    item = next;
  }
  if (alone && first.number !== undefined) {
    const whole = trimSpan(text, span(line.first, end));
    blocks.lists.push({ span: whole, delimiter: first.kind, first: first.number, parts: [{ items, by: 0 }] });
    return whole.end;
  }
  return end;
}

/** Reads the blocks that stand at `column` below what ended at `end`; the result is the end of the last one. */
export function readBelow(walk: Walk, column: number, end: number, readInner: ReadInner): number | undefined {
  let itemEnd = end;
  for (let line = nextContent(walk); line && line.indent >= column; line = nextContent(walk)) {
    const further = line.indent - column;
    if (further > 3 || (further > 0 && !mayBeIndented(walk.text, line.first))) return undefined;
    const innerEnd = readInner(walk, line, column);
    if (innerEnd === undefined) return undefined;
    itemEnd = innerEnd;
  }
  return itemEnd;
}

/** The list's next item; undefined where the list has ended. */
function nextItem(
  walk: Walk,
  base: number,
  { kind }: Marker,
): { readonly line: Line; readonly marker: Marker } | undefined | 'unsure' {
  const { text } = walk;
  const line = nextContent(walk);
  if (!line || line.indent < base) return undefined;
  const marker = markerAt(text, line.first);
  if (line.indent > base + 3) return 'unsure';
  if (marker?.kind === kind) return { line, marker };
  // With another number than 1 it may be a list of its own or go on with the paragraph.
  return (marker?.number ?? 1) === 1 ? undefined : 'unsure';
}
