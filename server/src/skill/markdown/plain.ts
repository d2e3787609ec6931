/**
 * Markdown of the plain kind, read line by line: paragraphs, headings, fences, indented code, rules, comments, blocks of HTML,
 * quotes of paragraphs, and lists within lists. Nine tenths of real bodies are so, and this takes a twentieth of what the parser takes. Whatever
 * is not certainly read alike is refused, and the parser reads it: `test/properties/markdown-plain.test.ts` holds that
 * both give the same blocks.
 */
import { span } from '../../text.ts';
import type { Parsed } from '../markdown.ts';
import { type Block, emptyBlocks } from './blocks.ts';
import { describeFence, findOpening, isClosing } from './code-fences.ts';
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
  nextContent,
  type Reading,
  readToParagraphEnd,
  startOf,
  trimmedEnd,
} from './plain-lines.ts';
import { readPlainList } from './plain-lists.ts';
import { beginsHtml } from './plain-tags.ts';

/** Line ends other than `\n`, and characters that the parser changes. */
const ODD = /[\r\0\ufeff]/;

/** The parser has its own bound; here each depth is a call. */
const MAX_COLUMN = 60;

/** The blocks of a chunk, the same as `parseMarkdown` gives; undefined where the parser must decide. */
export function readPlainMarkdown(text: string): Parsed | undefined {
  if (ODD.test(text)) return undefined;
  const reading: Reading = { text, blocks: emptyBlocks(), at: 0 };
  for (let line = nextContent(reading); line; line = nextContent(reading)) {
    const { headings, blocks } = reading.blocks;
    const before = headings.length;
    const isCode = line.indent > 3;
    if (line.indent > 0 && !isCode && !markerAt(text, line.first) && !isText(text, line.first)) return undefined;
    const end = isCode ? readIndentedCode(reading, line) : readBlock(reading, line, 0, true);
    if (end === undefined) return undefined;
    const below = line.indent > 0 ? nextContent(reading) : undefined;
    // The items of one list may stand further in or not.
    if (below && markerAt(text, below.first)) return undefined;
    const kind = isCode ? 'other' : headings.length > before ? 'heading' : kindOf(text, line);
    blocks.push({ kind, span: span(isCode ? line.start : line.first, end) });
  }
  return { blocks: reading.blocks, open: false };
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
  if (start.startsWith('```') || start.startsWith('~~~')) return readFence(reading, line, column, !alone);
  if (start[0] === '>') return readQuote(reading, line);
  if (start.startsWith('<!--')) return alone ? readComment(reading, line) : undefined;
  if (HEADING.test(start)) return alone ? readHeading(reading, line) : undefined;
  if (isRule(text, line)) {
    reading.at = line.end + 1;
    return line.end;
  }
  if (markerAt(text, line.first)) return readPlainList(reading, line, alone, readInner);
  if (start[0] === '<' && alone && !isText(text, line.first)) return readHtml(reading, line);
  return isText(text, line.first) ? readParagraph(reading, line, column) : undefined;
}

const readInner = (reading: Reading, line: Line, column: number): number | undefined =>
  readBlock(reading, line, column, false);

function readHeading(reading: Reading, line: Line): number | undefined {
  const { text, blocks } = reading;
  const { first, end } = line;
  const textEnd = trimmedEnd(text, line);
  if ('#\t'.includes(text[textEnd - 1] as string)) return undefined;
  const [marker = '', signs = ''] = HEADING.exec(startOf(text, first)) ?? [];
  const textSpan = span(first + marker.length, textEnd);
  const source = text.slice(textSpan.start, textEnd);
  if (source.includes('\t')) return undefined;
  blocks.headings.push({ level: signs.length, span: span(first, end), textSpan, text: source });
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
    return readPlainProse(text, span(first, end), blocks) ? end : undefined;
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
function readIndentedCode(reading: Reading, first: Line): number | undefined {
  const { text } = reading;
  let last = first;
  for (let next = lineAt(text, first.end + 1); next.start < text.length; next = lineAt(text, next.end + 1)) {
    // A blank line that stands so far in is of the code or is not.
    if (isBlankLine(next) && next.indent > 3) return undefined;
    if (isBlankLine(next)) continue;
    // A list below is one or is none: the parser has a way of its own there.
    if (next.indent < 4 && markerAt(text, next.first)) return undefined;
    if (next.indent < 4) break;
    last = next;
  }
  if (text.slice(first.start, last.end).includes('\t')) return undefined;
  reading.at = last.end + 1;
  return last.end;
}

function readFence(reading: Reading, line: Line, column: number, nested: boolean): number | undefined {
  const { text, blocks } = reading;
  if (line.indent !== column) return undefined;
  const opening = text.slice(line.first, line.end);
  const marker = findOpening(opening.trimEnd());
  // In an info string an escape or a reference is read as what it stands for.
  if (!marker || /[\\&\t]/.test(opening)) return undefined;
  for (let next = lineAt(text, line.end + 1); next.start < text.length; next = lineAt(text, next.end + 1)) {
    if (isBlankLine(next)) continue;
    if (next.indent < column) return undefined;
    if (text[next.first] !== marker.character || !isClosing(text.slice(next.first, next.end), marker)) continue;
    // One that stands further in, or with blanks behind it, closes the fence or does not: the parser knows.
    if (next.indent !== column || trimmedEnd(text, next) !== next.end) return undefined;
    const contentSpan = span(line.end + 1, next.start);
    const place = span(line.first, next.end);
    blocks.fences.push(describeFence(text, place, contentSpan, marker, { closed: true, nested }));
    reading.at = next.end + 1;
    return next.end;
  }
  return undefined;
}

/** A block of HTML, which begins with a tag and ends with a blank line. */
function readHtml(reading: Reading, { first, end }: Line): number | undefined {
  const { text } = reading;
  if (!beginsHtml(text, first)) return undefined;
  for (let last = end; ; ) {
    const next = lineAt(text, last + 1);
    // Without a blank line behind it, it goes on beyond the text.
    if (next.start >= text.length) return undefined;
    if (isBlankLine(next)) {
      // A line of tabs is blank, too.
      if (/\t|<!--/.test(text.slice(first, last))) return undefined;
      reading.at = next.start;
      return last;
    }
    last = next.end;
  }
}

/** A comment that is all of its lines. */
function readComment(reading: Reading, { first }: Line): number | undefined {
  const { text, blocks } = reading;
  const close = text.indexOf('-->', first + 4);
  if (close < 0 || /^<!--?-?>/.test(startOf(text, first))) return undefined;
  const last = lineAt(text, close);
  if (last.end !== close + 3) return undefined;
  blocks.comments.push({ span: span(first, last.end), text: text.slice(first + 4, close).trim() });
  reading.at = last.end + 1;
  return last.end;
}

/** A quote whose every line begins with `>`, of paragraphs alone. */
function readQuote(reading: Reading, opening: Line): number | undefined {
  const { text, blocks } = reading;
  let end = opening.end;
  /** Where the paragraph begins that is being read. */
  let from: number | undefined;
  let line = opening;
  const endParagraph = (): boolean => {
    const start = from;
    from = undefined;
    if (start === undefined) return true;
    const source = text.slice(start, end);
    if (source.includes('\t') || (source[0] === '[' && source.includes(']:'))) return false;
    return readPlainProse(text, span(start, end), blocks);
  };
  for (;;) {
    const content = line.first + (text[line.first + 1] === ' ' ? 2 : 1);
    if (content >= line.end) {
      if (!endParagraph()) return undefined;
    } else if (!isText(text, content)) return undefined;
    else {
      from ??= content;
      end = line.end;
    }
    const next = lineAt(text, line.end + 1);
    if (next.start >= text.length || isBlankLine(next)) break;
    // What is not marked may go on with the paragraph all the same.
    if (text[next.first] !== '>' || next.indent !== opening.indent) return undefined;
    line = next;
  }
  // What it ends with is part of it or is not: the parser knows.
  if (end !== line.end || text[end - 1] === ' ' || !endParagraph()) return undefined;
  reading.at = line.end + 1;
  return end;
}
