/** Lines of plain Markdown: where they begin and end, what may begin a paragraph, an item, a heading. */
import type { Blocks } from './blocks.ts';
import { isTagInText } from './plain-tags.ts';

/** One walk over a chunk; `at` is where the next line begins. */
export interface Reading {
  readonly text: string;
  readonly blocks: Blocks;
  at: number;
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

/** What may begin running text, or go on with it: no mark of another block, and no underline of a heading. */
const TEXT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII, blanks excepted, means nothing.
  /^(?:[^\x00-\x7f\s]|[A-Za-z("'.,:;/$%@{}[!|^?)`&\\]|~(?!~~)|\*+(?=[^\s*])|_+(?=[^\s_])|[-+]{1,2}(?=[^\s\-+*_])|#+(?=[^\s#])|<(?=[\s\d=$])|\d+(?![.)\d])|\d+[.)](?=\S))/;

/** The signs of a line that are looked at to tell what it begins. */
const LOOK = 16;

export const startOf = (text: string, at: number): string => text.slice(at, at + LOOK);

const isFence = (text: string, at: number): boolean => text.startsWith('```', at) || text.startsWith('~~~', at);

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
  if (source.includes('\t') || (source[0] === '[' && source.includes(']:'))) return undefined;
  reading.at = last.end + 1;
  return last.end;
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
  if (further < 0 && (marker || (indent === 0 && HEADING.test(startOf(text, first))))) return 'no';
  // Of numbers only the first begins a list in the midst of a paragraph; any other is text, unless there is a list around.
  if (marker && further <= 3 && (marker.number ?? 1) === 1) return 'no';
  if (marker) return further === 0 && column === 0 ? 'yes' : 'unsure';
  if (further === 0) {
    if (isFence(text, first) || text[first] === '>') return 'no';
    if (text.startsWith('<!--', first)) return column === 0 ? 'no' : 'unsure';
    if (HEADING.test(startOf(text, first))) return column === 0 ? 'no' : 'unsure';
  }
  return isText(text, first) ? 'yes' : 'unsure';
}
