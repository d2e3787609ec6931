/** Where the chunks of a text end: before lines that begin a heading or a paragraph whatever stands above them. */
import { nextLine } from '../../text.ts';
import { type FenceMarker, findOpening, isClosing } from './code-fences.ts';

/**
 * In characters: a chunk shorter than `small` goes on; one as long as `large` also ends before paragraphs, list items and
 * headings below level 2.
 */
export interface ChunkSizes {
  readonly small: number;
  readonly large: number;
  /** No chunk ends before a list item. */
  readonly wholeLists?: boolean;
}

/** The ends of all chunks of the text from `start` on, in order; the last one is the end of the text. */
export function chunkEndsOf(text: string, start: number, { small, large, wholeLists = false }: ChunkSizes): number[] {
  const ends: number[] = [];
  let from = start;
  let afterBlank = true;
  /** What the items of the list that the line may stand in have in common. */
  let list = '';
  /** The fence that the line stands in; fences in lists are not followed, and nothing in them looks like an end. */
  let fence: FenceMarker | undefined;
  const lineBehind = lineBehindIn(text);
  for (let at = start, next = at; at < text.length; at = next) {
    next = lineBehind(at);
    const first = text[at] as string;
    if (fence) {
      if (mayClose(text, at, fence) && isClosing(text.slice(at, next), fence)) fence = undefined;
      afterBlank = false;
    } else if (first === '`' || first === '~') {
      fence = findOpening(text.slice(at, next).trimEnd());
      afterBlank = false;
      list = '';
    } else if (first === '\n' || first === '\r') {
      afterBlank = true;
    } else {
      const level = first === '#' ? headingLevel(text, at) : 0;
      const marker = itemMarker(text, at);
      const sibling = marker !== '' && (marker === list || (afterBlank && beginsList(text, at)));
      const length = at - from;
      const atHeading = level > 0 && level <= 2 && length >= small;
      const atBlock =
        length >= large && (level > 0 || (sibling && !wholeLists) || (afterBlank && beginsParagraph(text, at)));
      if (length > 0 && (atHeading || atBlock)) {
        ends.push(at);
        from = at;
      }
      if (sibling) list = marker;
      else if (first !== ' ' && first !== '\t') list = '';
      afterBlank = false;
    }
  }
  if (from < text.length) ends.push(text.length);
  return ends;
}

/** `nextLine` in this text. Searching for `\n` alone is much faster, and enough where no line ends with a lone `\r`. */
function lineBehindIn(text: string): (at: number) => number {
  if (text.includes('\r') && /\r(?!\n)/.test(text)) return (at) => nextLine(text, at);
  return (at) => text.indexOf('\n', at) + 1 || text.length;
}

/** What begins a paragraph when it follows a blank line. */
const PARAGRAPH = /^(?:[\p{L}_[{]|\*\*)/u;
const beginsParagraph = (text: string, at: number): boolean => PARAGRAPH.test(text.slice(at, at + 2));

/** Whether the line's first character, indented by three blanks at most, is that of the fence. */
function mayClose(text: string, at: number, { character }: FenceMarker): boolean {
  let start = at;
  while (start < at + 3 && text[start] === ' ') start++;
  return text[start] === character;
}

function headingLevel(text: string, at: number): number {
  return /^(#{1,6})(?=[ \t\n\r]|$)/.exec(text.slice(at, at + 7))?.[1]?.length ?? 0;
}

/** `-`, `+`, `*`, `.` or `)` of a line that begins a list item with text; else the empty string. */
function itemMarker(text: string, at: number): string {
  if (!'-+*0123456789'.includes(text[at] as string)) return '';
  const match = /^(?:([-+*])|\d{1,9}([.)]))[ \t]+(?:[^\s*_-]|\*\*\p{L})/u.exec(text.slice(at, at + 16));
  return match?.[1] ?? match?.[2] ?? '';
}

/** The parser does not see everywhere that a list begins with a number other than 1. */
const beginsList = (text: string, at: number): boolean => !/^(?!1[.)])\d/.test(text.slice(at, at + 2));
