/**
 * Markdown of the plain kind, read line by line: paragraphs, `#` headings, fences and lists of one level, all at the
 * margin. Most chunks of most bodies are so, and this takes a twentieth of what the parser takes. Whatever is not
 * certainly read alike is refused, and the parser reads it: `test/properties/markdown-plain.test.ts` holds that both give
 * the same blocks.
 */
import { span } from '../../text.ts';
import type { Parsed } from '../markdown.ts';
import { type Blocks, emptyBlocks, type ListItem } from './blocks.ts';
import { describeFence, findOpening, isClosing } from './code-fences.ts';
import { findBold, readPlainProse } from './plain-inline.ts';

/** Line ends other than `\n`, tabs, and characters that the parser changes; and the definitions of links. */
const ODD = /[\t\r\0\ufeff]|\]:/;

/** What may begin a paragraph or go on with one, at the margin: no mark of another block, and no underline of a heading. */
const PARAGRAPH = /^(?:[\p{L}("'.,:;/$%(@{}[!|^?)`]|\*\*(?=[\p{L}])|_(?=[\p{L}])|#(?=[a-z])|\d+(?![.)\d]))/u;

const HEADING = /^(#{1,6}) (?=[^\s#])/;
const BULLET = /^[-*+] (?=[^\s\-*+=#>~<\d`])/;
const NUMBERED = /^(\d{1,9})([.)]) (?=[^\s\-*+=#>~<\d`]|\*\*[\p{L}]|`[^`])/u;

interface Reading {
  readonly text: string;
  readonly blocks: Blocks;
  /** Where the next line begins. */
  at: number;
}

/** The blocks of a chunk, the same as `parseMarkdown` gives; undefined where the parser must decide. */
export function readPlainMarkdown(text: string): Parsed | undefined {
  if (ODD.test(text)) return undefined;
  const reading: Reading = { text, blocks: emptyBlocks(), at: 0 };
  while (reading.at < text.length) if (!readBlock(reading)) return undefined;
  return { blocks: reading.blocks, open: false };
}

const lineEndOf = ({ text }: Reading, at: number): number => {
  const found = text.indexOf('\n', at);
  return found < 0 ? text.length : found;
};

/** Reads one block and moves behind it; false where it is not plain. */
function readBlock(reading: Reading): boolean {
  const { text, at } = reading;
  const end = lineEndOf(reading, at);
  const first = text[at];
  if (first === '\n') {
    reading.at++;
    return true;
  }
  if (first === '~' || text.startsWith('```', at)) return readFence(reading, end);
  const line = text.slice(at, Math.min(end, at + 16));
  const heading = HEADING.exec(line);
  if (heading) return readHeading(reading, heading, end);
  const bullet = BULLET.exec(line);
  if (bullet) return readList(reading, bullet[0][0] as string);
  const numbered = NUMBERED.exec(line);
  if (numbered) return readList(reading, numbered[2] as string, Number(numbered[1]));
  return PARAGRAPH.test(line) && readParagraph(reading, end);
}

function readHeading(reading: Reading, marker: RegExpExecArray, end: number): boolean {
  const { text, blocks, at } = reading;
  if (text[end - 1] === '#' || text[end - 1] === ' ') return false;
  const place = span(at, end);
  const textSpan = span(at + marker[0].length, end);
  const level = marker[1]?.length ?? 1;
  blocks.headings.push({ level, span: place, textSpan, text: text.slice(textSpan.start, end) });
  if (!readPlainProse(text, textSpan, blocks)) return false;
  blocks.blocks.push({ kind: 'heading', span: place });
  reading.at = end + 1;
  return true;
}

function readFence(reading: Reading, openingEnd: number): boolean {
  const { text, blocks, at: start } = reading;
  const opening = text.slice(start, openingEnd);
  const marker = findOpening(opening.trimEnd());
  // In an info string an escape or a reference is read as what it stands for.
  if (!marker || /[\\&]/.test(opening)) return false;
  for (let at = openingEnd + 1; at < text.length; ) {
    const end = lineEndOf(reading, at);
    if (text[at] === marker.character || text[at] === ' ') {
      const line = text.slice(at, end);
      if (isClosing(line, marker)) {
        // One that is indented, or with blanks behind it, closes the fence or does not: the parser knows.
        if (line.length !== line.trim().length) return false;
        const place = span(start, end);
        const contentSpan = span(openingEnd + 1, at);
        blocks.fences.push(describeFence(text, place, contentSpan, marker, { closed: true, nested: false }));
        blocks.blocks.push({ kind: 'fence', span: place });
        reading.at = end + 1;
        return true;
      }
    }
    at = end + 1;
  }
  return false;
}

/** Where a paragraph ends that began with the line that ends at `lineEnd`; -1 where that is not plain. */
function endOfParagraph(reading: Reading, lineEnd: number, margin: string): number {
  const { text } = reading;
  let end = lineEnd;
  for (;;) {
    if (text[end - 1] === ' ') return -1;
    const next = end + 1;
    if (next >= text.length || text[next] === '\n') return end;
    if (margin === '' && (HEADING.test(text.slice(next, next + 10)) || text.startsWith('```', next))) return end;
    if (margin !== '' && text[next] !== ' ') return end;
    if (!text.startsWith(margin, next)) return -1;
    if (!PARAGRAPH.test(text.slice(next + margin.length, next + margin.length + 16))) return -1;
    if (text.startsWith('```', next + margin.length)) return -1;
    end = lineEndOf(reading, next);
  }
}

function readParagraph(reading: Reading, lineEnd: number): boolean {
  const { text, blocks, at } = reading;
  const end = endOfParagraph(reading, lineEnd, '');
  if (end < 0) return false;
  const place = span(at, end);
  if (!readPlainProse(text, place, blocks)) return false;
  blocks.blocks.push({ kind: 'other', span: place });
  reading.at = end + 1;
  return true;
}

/** A list whose items are a paragraph each; `first` is the number of its first item, where they have numbers. */
function readList(reading: Reading, mark: string, first?: number): boolean {
  const { text, blocks, at: start } = reading;
  const items: ListItem[] = [];
  let end = start;
  for (;;) {
    const line = text.slice(reading.at, reading.at + 16);
    const marker = first === undefined ? BULLET.exec(line) : NUMBERED.exec(line);
    if (!marker || (marker[2] ?? marker[0][0]) !== mark) return false;
    const from = reading.at + marker[0].length;
    end = endOfParagraph(reading, lineEndOf(reading, from), ' '.repeat(marker[0].length));
    if (end < 0) return false;
    const bold = findBold(text, from, end);
    if (bold === 'unsure' || !readPlainProse(text, span(from, end), blocks)) return false;
    if (first !== undefined) {
      const markerSpan = span(reading.at, from - 1);
      items.push({
        span: span(reading.at, end),
        markerSpan,
        textSpan: span(from, end),
        ...(bold && { boldSpan: bold }),
      });
    }
    reading.at = end + 1;
    let next = reading.at;
    while (text[next] === '\n') next++;
    if (next >= text.length) break;
    // Behind an empty line only what is indented, or another item, goes on with the list.
    if (text[next] === ' ') return false;
    if (isItem(text, next)) reading.at = next;
    else if (next > reading.at || HEADING.test(text.slice(next, next + 10))) break;
    else return false;
  }
  const place = span(start, end);
  if (first !== undefined) blocks.lists.push({ span: place, delimiter: mark, first, items });
  blocks.blocks.push({ kind: 'list', span: place });
  return true;
}

/** Whether a line may begin an item of some list, plain or not. */
const isItem = (text: string, at: number): boolean => /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.test(text.slice(at, at + 12));
