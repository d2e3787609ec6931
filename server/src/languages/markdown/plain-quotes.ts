/**
 * Quotes of plain Markdown. What stands in one is read as what stands in an item of a list is: its marks are written over
 * with blanks, and then its blocks stand at a column, and a line without a mark stands before it.
 */
import { appendBlocks, emptyBlocks } from './blocks.ts';
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
  type Reading,
} from './plain-lines.ts';
import { type ReadInner, readBelow } from './plain-lists.ts';

/** Quotes in one another; each is a copy of its text. */
const DEEPEST = 4;

/** Reads the quote that begins in `line`, in a block whose content stands at `column`; the result is its end, undefined where it is not plain. */
export function readPlainQuote(reading: Reading, line: Line, column: number, readInner: ReadInner): number | undefined {
  if (reading.depth === DEEPEST) return undefined;
  const from = line.start;
  // The parser takes such a number for text where it would be text without the quote.
  if (LATER_NUMBER.test(reading.text.slice(line.first, line.end))) return undefined;
  const lines = linesOfQuote(reading.text, line, column);
  const width = lines && widthOfMark(reading.text, lines);
  if (!lines || !width) return undefined;
  const inside = line.indent + width;
  // What stands so far in may begin a block in the quote, or go on with a paragraph without a mark.
  if (lines.some(({ isMarked, indent }) => !isMarked && indent >= inside)) return undefined;
  const to = lines.at(-1)?.end ?? line.end;
  const quote: Reading = {
    text: lines.map(({ start, first, end, isMarked }) => blanked(reading.text, start, first, end, isMarked)).join('\n'),
    source: reading.source.slice(from, to),
    blocks: emptyBlocks(),
    at: 0,
    open: false,
    depth: reading.depth + 1,
  };
  if (readBelow(quote, inside, 0, readInner) === undefined) return undefined;
  // A line without a mark that goes on with no paragraph is behind the quote. So is all below, which would be read again.
  if (nextContent(quote)) return undefined;
  appendBlocks(reading.blocks, quote.blocks, from);
  reading.at = to + 1;
  return to;
}

/** A quote, or quotes in one another, that begin with an item that has a number other than 1. */
const LATER_NUMBER = /^[> ]*(?!1[.)])\d+[.)]/;

interface QuoteLine extends Line {
  /** Begins with `>`; else it may go on with a paragraph all the same. */
  readonly isMarked: boolean;
}

const blanked = (text: string, start: number, first: number, end: number, isMarked: boolean): string =>
  isMarked ? `${text.slice(start, first)} ${text.slice(first + 1, end)}` : text.slice(start, end);

/** The lines that may be of the quote that begins in `opening`; undefined where that is unsure. */
function linesOfQuote(text: string, opening: Line, column: number): readonly QuoteLine[] | undefined {
  const lines: QuoteLine[] = [{ ...opening, isMarked: true }];
  for (let last = opening; ; ) {
    const next = lineAt(text, last.end + 1);
    if (next.start >= text.length || isBlankLine(next)) return lines;
    const isMarked = text[next.first] === '>';
    if (isMarked) {
      if (next.indent !== opening.indent) return undefined;
      // So far in, it goes on with a paragraph, or is code of a kind of its own.
    } else if (next.indent - column > 3) return undefined;
    else if (endsQuote(text, next, column)) return lines;
    else if (!isText(text, next.first)) return undefined;
    lines.push({ ...next, isMarked });
    last = next;
  }
}

/** Whether a line without a mark begins a block, whatever stands above it in the quote. */
function endsQuote(text: string, line: Line, column: number): boolean {
  const { first, indent } = line;
  const marker = markerAt(text, first);
  // Of numbers only the first begins a list in the midst of a paragraph; an item of a list around the quote is known to its reader.
  if (marker) return indent < column || (marker.number ?? 1) === 1;
  return isHeading(text, first) || isFence(text, first) || isRule(text, line) || text.startsWith('<!--', first);
}

/** How wide the mark is with its blank, in all lines alike; undefined where it differs, or a tab stands there. */
function widthOfMark(text: string, lines: readonly QuoteLine[]): number | undefined {
  let width: number | undefined;
  for (const { first, end, isMarked } of lines) {
    if (!isMarked || first + 1 === end) continue;
    if (text[first + 1] === '\t') return undefined;
    const its = text[first + 1] === ' ' ? 2 : 1;
    if (its !== (width ?? its)) return undefined;
    width = its;
  }
  return width ?? 1;
}
