/** Lines of plain Markdown: where they begin and end, what may begin a paragraph, an item, a heading. */
import type { Blocks } from './blocks.ts';
import { isClosingTag, isTagInParagraph, isTagInText } from './plain-tags.ts';

/** One walk over a chunk; `at` is where the next line begins. */
export interface Reading {
  /** In a quote, its marks are written over with blanks. */
  readonly text: string;
  /** The text as it is written. */
  readonly source: string;
  readonly blocks: Blocks;
  at: number;
  /** A fence goes on beyond the end of the text. */
  open: boolean;
  /** How many quotes are around the text. */
  readonly depth: number;
}

/** A line without its break; `first` is its first sign that is no blank, and `end` where there is none. */
export interface Line {
  readonly start: number;
  readonly first: number;
  readonly end: number;
  /** How many blanks it begins with. */
  readonly indent: number;
}

export function lineAt(text: string, start: number): Line {
  const found = text.indexOf('\n', start);
  const end = found < 0 ? text.length : found;
  let first = start;
  while (first < end && text[first] === ' ') first++;
  return { start, first, end, indent: first - start };
}

export const isBlankLine = ({ first, end }: Line): boolean => first === end;

/** The next line that is not blank; undefined at the end. */
export function nextContent({ text, at }: Reading): Line | undefined {
  for (let start = at; start < text.length; ) {
    const line = lineAt(text, start);
    if (!isBlankLine(line)) return line;
    start = line.end + 1;
  }
  return undefined;
}

/** The end of a line without the blanks that it ends with. */
export function trimmedEnd(text: string, { first, end }: Line): number {
  let at = end;
  while (at > first && text[at - 1] === ' ') at--;
  return at;
}

export const HEADING = /^(#{1,6}) (?=[^\s#])/;

export const isHeading = (text: string, at: number): boolean => text[at] === '#' && HEADING.test(startOf(text, at));

/** What may begin running text, or go on with it: no mark of another block, and no underline of a heading. */
const TEXT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII, blanks excepted, means nothing.
  /^(?:[^\x00-\x7f\s]|[A-Za-z("'.,:;/$%@{}[!|^?)`&\\]|~(?!~~)|\*+(?=[^\s*])|_+(?=[^\s_])|[-+]{1,2}(?=[^\s\-+*_])|#+(?=[^\s#])|<(?=[\s\d=$\u0080-\uffff]|[A-Za-z][A-Za-z\d+.-]{1,12}:)|\d+(?![.)\d])|\d+[.)](?=\S))/;

/** The signs of a line that are looked at to tell what it begins. */
const LOOK = 16;

export const startOf = (text: string, at: number): string => text.slice(at, at + LOOK);

export const isFence = (text: string, at: number): boolean => text.startsWith('```', at) || text.startsWith('~~~', at);

export const isText = (text: string, at: number): boolean =>
  (TEXT.test(startOf(text, at)) && !isFence(text, at)) || isTagInText(text, at);

/** Whether a line that stands below one of a paragraph makes a heading of it. */
export const isUnderline = (text: string, { start, end }: Line): boolean =>
  (text[start] === '-' || text[start] === '=') && /^(?:-{2,}|={2,})$/.test(text.slice(start, end));

export const isRule = (text: string, { first, end }: Line): boolean =>
  '-*_'.includes(text[first] as string) && /^(?:-{3,}|\*{3,}|_{3,})$/.test(text.slice(first, end));

/** The marker of an item, with the blanks behind it. */
export interface Marker {
  /** `-`, `*` or `+`; of a number the `.` or `)` behind it. */
  readonly kind: string;
  readonly number: number | undefined;
  /** Of the marker without its blanks. */
  readonly length: number;
  readonly width: number;
}

const BULLET = /^([-*+])( {1,4})(?=\S)/;
const NUMBERED = /^(\d{1,9})([.)])( {1,4})(?=\S)/;

export function markerAt(text: string, at: number): Marker | undefined {
  const start = startOf(text, at);
  const bullet = BULLET.exec(start);
  if (bullet) return { kind: bullet[1] as string, number: undefined, length: 1, width: bullet[0].length };
  const numbered = NUMBERED.exec(start);
  if (!numbered) return undefined;
  const [whole, digits = '', kind = ''] = numbered;
  return { kind, number: Number(digits), length: digits.length + 1, width: whole.length };
}

/** What two words follow that are no target with a title is no definition. */
const NO_DEFINITION = /^\[[^[\]\n\\]*\]: *[^\s<]+ +[^\s"'(]/;

/** What may stand up to three blanks further in than its column; anything else stands at the column, or is not plain. */
export const mayStandFurtherIn = (text: string, at: number): boolean =>
  markerAt(text, at) !== undefined ||
  isText(text, at) ||
  // The blanks before a comment are of it.
  (interrupts(text, at) && text[at] !== '<');

/**
 * Reads on to the end of the paragraph that begins at `from`, in a block whose content stands at `column`, and moves
 * behind it. The result is its end, with the blanks it ends with; undefined where that is not plain.
 */
export function readToParagraphEnd(reading: Reading, from: number, column: number): number | undefined {
  const { text } = reading;
  let last = lineAt(text, from);
  for (;;) {
    const next = lineAt(text, last.end + 1);
    if (next.start >= text.length || isBlankLine(next)) break;
    const goesOn = continues(text, next, column);
    if (goesOn === 'unsure') return undefined;
    if (goesOn === 'no') break;
    last = next;
  }
  const source = text.slice(from, last.end);
  // Tabs have a width, and a paragraph in brackets may be the target of links.
  if (source.includes('\t') || (source[0] === '[' && source.includes(']:') && !NO_DEFINITION.test(source)))
    return undefined;
  reading.at = last.end + 1;
  return last.end;
}

/**
 * Whether a line below an item's paragraph is a closing tag at the start of the line. The parser takes that for a block of
 * HTML that is of the item; at the item's column the same tag goes on with the paragraph.
 */
function isLazyTag(text: string, line: Line): boolean {
  if (line.indent > 0 || !isClosingTag(text, line)) return false;
  const next = lineAt(text, line.end + 1);
  return next.start < text.length && next.start === next.end;
}

/** Moves behind the tag that stands so below a paragraph of an item, if any; the result is its end. */
export function readLazyTag(reading: Reading, column: number): number | undefined {
  const line = lineAt(reading.text, reading.at);
  if (column === 0 || !isLazyTag(reading.text, line)) return undefined;
  reading.at = line.end + 1;
  return line.end;
}

/** Whether a line, directly below one of a paragraph, goes on with it. */
function continues(text: string, line: Line, column: number): 'yes' | 'no' | 'unsure' {
  const { first, indent } = line;
  const further = indent - column;
  // What stands so far in begins nothing in the midst of a paragraph.
  if (further > 3) return 'yes';
  if (column === 0 && isUnderline(text, line)) return 'no';
  if (further < 0 && isRule(text, line)) return 'no';
  const marker = markerAt(text, first);
  // An item of a list around this one; whether it is one of these, their reader knows.
  if (further < 0 && (marker || (indent === 0 && isHeading(text, first)))) return 'no';
  // Of numbers only the first begins a list in the midst of a paragraph; any other is text, unless there is a list around.
  if (marker && further <= 3 && (marker.number ?? 1) === 1) return 'no';
  if (marker) return further === 0 && column === 0 ? 'yes' : 'unsure';
  if (interrupts(text, first)) return 'no';
  if (column > 0 && isLazyTag(text, line)) return 'no';
  return isText(text, first) || (further >= 0 && goesOn(text, line)) ? 'yes' : 'unsure';
}

/** What begins a block wherever it stands; who reads on knows where, or that it is not plain. */
const interrupts = (text: string, at: number): boolean =>
  text[at] === '>' || isFence(text, at) || text.startsWith('<!--', at) || isHeading(text, at);

/** What begins no block below a line of a paragraph: `]`, a row of `-` or `=` with words behind it. */
const FURTHER_TEXT = /^(?:\]|-{2,} *[^\s-]|={1,} *[^\s=])/;

/** Whether a line below one of a paragraph goes on with it, though a paragraph that began with it might not be read alike. */
const goesOn = (text: string, { first, end }: Line): boolean =>
  text[first] === '<' ? isTagInParagraph(text, first) : FURTHER_TEXT.test(text.slice(first, end));
