/**
 * Quotes: their `>` are replaced by blanks, so that what they hold is read as what stands below a list item. A line without
 * `>` stands left of that column. See the contract in `quick-markdown.ts`.
 */
import { appendBlocks, emptyBlocks } from '../blocks.ts';
import {
  isBlankLine,
  isFence,
  isHeading,
  isRule,
  isText,
  type Line,
  lineAt,
  markerAt,
  nextContent,
  type Walk,
} from './quick-lines.ts';
import { type ReadInner, readBelow } from './quick-lists.ts';

/** Each quote within a quote copies its text. */
const MAX_DEPTH = 4;

/** Reads the quote that begins in `line`, in a block whose content stands at `column`; the result is its end. */
export function readQuote(walk: Walk, line: Line, column: number, readInner: ReadInner): number | undefined {
  if (walk.depth === MAX_DEPTH) return undefined;
  const from = line.start;
  if (LATER_NUMBER.test(walk.text.slice(line.first, line.end))) return undefined;
  const lines = linesOfQuote(walk.text, line, column);
  const width = lines && widthOfMark(walk.text, lines);
  if (!lines || !width) return undefined;
  const inside = line.indent + width;
  // So far in, a line without `>` may begin a block in the quote or go on with its paragraph.
  if (lines.some(({ isMarked, indent }) => !isMarked && indent >= inside)) return undefined;
  const to = lines.at(-1)?.end ?? line.end;
  const quote: Walk = {
    text: lines.map((one) => withoutMark(walk.text, one)).join('\n'),
    source: walk.source.slice(from, to),
    blocks: emptyBlocks(),
    at: 0,
    open: false,
    depth: walk.depth + 1,
  };
  if (readBelow(quote, inside, 0, readInner) === undefined) return undefined;
  // A line without `>` that goes on with no paragraph stands behind the quote.
  if (nextContent(quote)) return undefined;
  appendBlocks(walk.blocks, quote.blocks, from);
  walk.at = to + 1;
  return to;
}

/** A quote that begins with an item whose number is not 1: the parser takes it for text in some places. */
const LATER_NUMBER = /^[> ]*(?!1[.)])\d+[.)]/;

interface QuoteLine extends Line {
  /** Begins with `>`; another line may go on with a paragraph. */
  readonly isMarked: boolean;
}

const withoutMark = (text: string, { start, first, end, isMarked }: QuoteLine): string =>
  isMarked ? `${text.slice(start, first)} ${text.slice(first + 1, end)}` : text.slice(start, end);

/** The lines that may belong to the quote that begins in `opening`; undefined where the parser must decide. */
function linesOfQuote(text: string, opening: Line, column: number): readonly QuoteLine[] | undefined {
  const lines: QuoteLine[] = [{ ...opening, isMarked: true }];
  for (let last = opening; ; ) {
    const next = lineAt(text, last.end + 1);
    if (next.start >= text.length || isBlankLine(next)) return lines;
    const isMarked = text[next.first] === '>';
    if (isMarked) {
      if (next.indent !== opening.indent) return undefined;
    } else if (next.indent - column > 3) return undefined;
    else if (endsQuote(text, next, column)) return lines;
    else if (!isText(text, next.first)) return undefined;
    lines.push({ ...next, isMarked });
    last = next;
  }
}

/** Whether a line without `>` begins a block, whatever stands above it in the quote. */
function endsQuote(text: string, line: Line, column: number): boolean {
  const { first, indent } = line;
  const marker = markerAt(text, first);
  if (marker) return indent < column || (marker.number ?? 1) === 1;
  return isHeading(text, first) || isFence(text, first) || isRule(text, line);
}

/** How wide `>` is with its blank, the same in all lines; undefined where it differs, or a tab follows. */
function widthOfMark(text: string, lines: readonly QuoteLine[]): number | undefined {
  let width: number | undefined;
  for (const { first, end, isMarked } of lines) {
    if (!isMarked || first + 1 === end) continue;
    if (text[first + 1] === '\t') return undefined;
    const own = text[first + 1] === ' ' ? 2 : 1;
    if (own !== (width ?? own)) return undefined;
    width = own;
  }
  return width ?? 1;
}
