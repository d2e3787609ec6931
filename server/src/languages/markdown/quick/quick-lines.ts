/** Lines: where they begin and end, and what may begin a paragraph, an item, a heading; see `quick-markdown.ts`. */
import type { Blocks } from '../blocks.ts';

/** One walk over a text; `at` is where the next line begins. */
export interface Walk {
  /** In a quote, its `>` are replaced by blanks. */
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

/** A line without its break; `first` is its first character that is no blank, `end` in an empty line. */
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
export function nextContent({ text, at }: Walk): Line | undefined {
  for (let start = at; start < text.length; ) {
    const line = lineAt(text, start);
    if (!isBlankLine(line)) return line;
    start = line.end + 1;
  }
  return undefined;
}

/** The end of a line without the blanks at its end. */
export function trimmedEnd(text: string, { first, end }: Line): number {
  let at = end;
  while (at > first && text[at - 1] === ' ') at--;
  return at;
}

export const HEADING = /^(#{1,6}) (?=[^\s#])/;

/** What may begin running text or go on with it: no mark of another block, no underline of a heading. */
const TEXT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII, blanks excepted, means nothing.
  /^(?:[^\x00-\x7f\s]|[A-Za-z("'.,:;/$%@{}[!|^?)`&\\]|~(?!~~)|\*+(?=[^\s*])|_+(?=[^\s_])|[-+]{1,2}(?=[^\s\-+*_])|#+(?=[^\s#])|<(?=[\s\d=$\u0080-\uffff])|\d+(?![.)\d])|\d+[.)](?=\S))/;

/** So many characters tell what a line begins. */
const LOOK = 16;

export const startOf = (text: string, at: number): string => text.slice(at, at + LOOK);

export const isHeading = (text: string, at: number): boolean => text[at] === '#' && HEADING.test(startOf(text, at));

export const isFence = (text: string, at: number): boolean => text.startsWith('```', at) || text.startsWith('~~~', at);

export const isText = (text: string, at: number): boolean => TEXT.test(startOf(text, at)) && !isFence(text, at);

/** Whether a line directly below a paragraph makes a heading of it. */
export const isUnderline = (text: string, { start, end }: Line): boolean =>
  (text[start] === '-' || text[start] === '=') && /^(?:-{2,}|={2,})$/.test(text.slice(start, end));

export const isRule = (text: string, { first, end }: Line): boolean =>
  '-*_'.includes(text[first] as string) && /^(?:-{3,}|\*{3,}|_{3,})$/.test(text.slice(first, end));

/** The marker of a list item. */
export interface Marker {
  /** `-`, `*` or `+`; of a number the `.` or `)` behind it. */
  readonly kind: string;
  readonly number: number | undefined;
  /** Without the blanks behind it. */
  readonly length: number;
  /** With the blanks behind it. */
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

/** Two words that cannot be a target and its title, so that what stands before them is no definition. */
const NO_DEFINITION = /^\[[^[\]\n\\]*\]: *[^\s<]+ +[^\s"'(]/;

/** What is read alike up to three blanks further in than its column. */
export const mayBeIndented = (text: string, at: number): boolean =>
  markerAt(text, at) !== undefined || isText(text, at) || interrupts(text, at);

/**
 * Reads to the end of the paragraph that begins at `from`, in a block whose content stands at `column`, and moves behind
 * it. The result is its end, with trailing blanks; undefined where the parser must decide.
 */
export function readToParagraphEnd(walk: Walk, from: number, column: number): number | undefined {
  const { text } = walk;
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
  // Tabs have a width, and `[name]:` may define a link's target.
  if (source.includes('\t') || (source[0] === '[' && source.includes(']:') && !NO_DEFINITION.test(source)))
    return undefined;
  walk.at = last.end + 1;
  return last.end;
}

/** Whether a line directly below a line of a paragraph goes on with it. */
function continues(text: string, line: Line, column: number): 'yes' | 'no' | 'unsure' {
  const { first, indent } = line;
  const further = indent - column;
  if (further > 3) return 'yes';
  if (column === 0 && isUnderline(text, line)) return 'no';
  if (further < 0 && isRule(text, line)) return 'no';
  const marker = markerAt(text, first);
  if (further < 0 && (marker || (indent === 0 && isHeading(text, first)))) return 'no';
  // Only the number 1 begins a list within a paragraph; any other may be the next item of a list around it.
  if (marker && (marker.number ?? 1) === 1) return 'no';
  if (marker) return further === 0 && column === 0 ? 'yes' : 'unsure';
  if (interrupts(text, first)) return 'no';
  return isText(text, first) ? 'yes' : 'unsure';
}

/** What ends a paragraph and begins another block, whatever the indentation. */
const interrupts = (text: string, at: number): boolean => text[at] === '>' || isFence(text, at) || isHeading(text, at);
