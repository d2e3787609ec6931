/**
 * Markdown of the plain kind, read line by line: paragraphs, headings, fences, indented code, rules, comments, blocks of HTML,
 * and lists and quotes in one another. Of a thousand real bodies all is so but four paragraphs, and this takes a twentieth
 * of what the parser takes. Whatever is not certainly read alike is refused, and the parser reads it:
 * `test/properties/markdown-plain.test.ts` holds that both give the same blocks.
 */
import { span } from '../../text.ts';
import { type Block, emptyBlocks } from './blocks.ts';
import type { Parsed } from './markdown.ts';
import { readPlainFence } from './plain-fences.ts';
import { readPlainComment, readPlainHtml } from './plain-html.ts';
import { readPlainProse } from './plain-inline.ts';
import {
  HEADING,
  isBlankLine,
  isRule,
  isText,
  isUnderline,
  type Line,
  lineAt,
  markerAt,
  mayStandFurtherIn,
  nextContent,
  type Reading,
  readLazyTag,
  readToParagraphEnd,
  startOf,
  trimmedEnd,
} from './plain-lines.ts';
import { readPlainList } from './plain-lists.ts';
import { readPlainQuote } from './plain-quotes.ts';

/** Line ends other than `\n`, and characters that the parser changes. */
const ODD = /[\r\0\ufeff]/;

/** The parser has its own bound; here each depth is a call. */
const MAX_COLUMN = 60;

/** The blocks of a chunk, the same as `parseMarkdown` gives; undefined where the parser must decide. */
export function readPlainMarkdown(text: string): Parsed | undefined {
  if (ODD.test(text)) return undefined;
  const reading: Reading = { text, source: text, blocks: emptyBlocks(), at: 0, open: false, depth: 0 };
  for (let line = nextContent(reading); line; line = nextContent(reading)) {
    const { headings, blocks } = reading.blocks;
    const before = headings.length;
    const isCode = line.indent > 3;
    if (line.indent > 0 && !isCode && !mayStandFurtherIn(text, line.first)) return undefined;
    const end = isCode ? readIndentedCode(reading, line, 0) : readBlock(reading, line, 0, true);
    if (end === undefined) return undefined;
    const kind = isCode ? 'other' : headings.length > before ? 'heading' : kindOf(text, line);
    blocks.push({ kind, span: span(isCode ? line.start : line.first, end) });
  }
  return { blocks: reading.blocks, open: reading.open };
}

function kindOf(text: string, { first }: Line): Block['kind'] {
  const start = startOf(text, first);
  if (start.startsWith('```') || start.startsWith('~~~')) return 'fence';
  if (start.startsWith('<!--')) return 'comment';
  return markerAt(text, first) ? 'list' : 'other';
}

/** Reads one block and moves behind it; the result is its end, undefined where it is not plain. */
function readBlock(reading: Reading, line: Line, column: number, alone: boolean): number | undefined {
  const { text } = reading;
  if (column > MAX_COLUMN) return undefined;
  const start = startOf(text, line.first);
  if (start.startsWith('```') || start.startsWith('~~~')) return readPlainFence(reading, line, column, !alone);
  if (start[0] === '>') return readPlainQuote(reading, line, column, readInner);
  if (start.startsWith('<!--')) return readPlainComment(reading, line, alone);
  if (HEADING.test(start)) return readHeading(reading, line, alone);
  if (isRule(text, line)) {
    reading.at = line.end + 1;
    return line.end;
  }
  if (markerAt(text, line.first)) return readPlainList(reading, line, column, alone, readInner);
  if (start[0] === '<' && alone && !isText(text, line.first)) return readPlainHtml(reading, line);
  return isText(text, line.first) ? readParagraph(reading, line, column) : undefined;
}

const readInner = (reading: Reading, line: Line, column: number): number | undefined =>
  line.indent - column > 3 ? readIndentedCode(reading, line, column) : readBlock(reading, line, column, false);

function readHeading(reading: Reading, line: Line, alone: boolean): number | undefined {
  const { text, blocks } = reading;
  const { first, end } = line;
  const textEnd = trimmedEnd(text, line);
  if ('#\t'.includes(text[textEnd - 1] as string)) return undefined;
  const [marker = '', signs = ''] = HEADING.exec(startOf(text, first)) ?? [];
  const textSpan = span(first + marker.length, textEnd);
  const source = text.slice(textSpan.start, textEnd);
  if (source.includes('\t')) return undefined;
  if (alone) blocks.headings.push({ level: signs.length, span: span(first, end), textSpan, text: source });
  if (!readPlainProse(text, textSpan, blocks)) return undefined;
  reading.at = end + 1;
  return end;
}

function readParagraph(reading: Reading, { first }: Line, column: number): number | undefined {
  const { text, blocks } = reading;
  const end = readToParagraphEnd(reading, first, column);
  if (end === undefined) return undefined;
  const underline = column === 0 ? lineAt(text, end + 1) : undefined;
  if (!underline || !isUnderline(text, underline))
    return readPlainProse(text, span(first, end), blocks) ? (readLazyTag(reading, column) ?? end) : undefined;
  // Blanks at the end are part of a paragraph, and not of a heading's text.
  if (text[end - 1] === ' ') return undefined;
  const textSpan = span(first, end);
  const level = text[underline.start] === '=' ? 1 : 2;
  blocks.headings.push({ level, span: span(first, underline.end), textSpan, text: text.slice(first, end) });
  if (!readPlainProse(text, textSpan, blocks)) return undefined;
  reading.at = underline.end + 1;
  return underline.end;
}

/** Lines that stand four blanks in or more, and the blank ones between them. */
function readIndentedCode(reading: Reading, first: Line, column: number): number | undefined {
  const { text } = reading;
  let last = first;
  for (let next = lineAt(text, first.end + 1); next.start < text.length; next = lineAt(text, next.end + 1)) {
    const isInside = next.indent - column > 3;
    // A blank line that stands so far in is of the code or is not.
    if (isBlankLine(next) && isInside) return undefined;
    if (isBlankLine(next)) continue;
    // A list that begins with another number is one or is none: the parser has a way of its own there. An item of a list
    // around the code is one.
    if (!isInside && next.indent >= column && (markerAt(text, next.first)?.number ?? 1) !== 1) return undefined;
    if (!isInside) break;
    last = next;
  }
  if (text.slice(first.start, last.end).includes('\t')) return undefined;
  reading.at = last.end + 1;
  return last.end;
}
