/**
 * The quick reader of common Markdown. Reads line by line and returns exactly the blocks of `parseByRemark`, or
 * undefined if the parser must read the text. `test/properties/markdown-quick.test.ts` checks that the blocks are
 * equal.
 */
import { type Span, span } from '../../text.ts';
import {
  appendBlocks,
  emptyBlocks,
  type ListItem,
  type MarkdownBlock,
  type MarkdownBlocks,
  type Parsed,
} from './blocks.ts';
import { describeFence, findOpening, isClosing } from './code-fences.ts';
import { trimSpan } from './spans.ts';

/** Line breaks other than `\n`, and characters that the parser changes. */
const ODD = /[\r\0\ufeff]/;

/** The maximum column of a nested block, which limits the recursion. */
const MAX_COLUMN = 60;

/** Returns the blocks of a string, with UTF-16 offsets; undefined if the parser must read the text. Never throws. */
export function readMarkdownQuickly(text: string): Parsed | undefined {
  if (ODD.test(text)) return undefined;
  const walk: Walk = { text, source: text, blocks: emptyBlocks(), at: 0, open: false, depth: 0 };
  for (let line = nextContent(walk); line; line = nextContent(walk)) {
    if (line.indent > 3 || (line.indent > 0 && !mayBeIndented(text, line.first))) return undefined;
    const end = readBlock(walk, line, 0, true);
    if (end === undefined) return undefined;
    walk.blocks.blocks.push({ kind: kindOf(text, line), span: span(line.first, end) });
  }
  return { blocks: walk.blocks, open: walk.open };
}

function kindOf(text: string, { first }: Line): MarkdownBlock['kind'] {
  if (isFence(text, first)) return 'fence';
  if (isHeading(text, first)) return 'heading';
  return markerAt(text, first) ? 'list' : 'other';
}

/** Reads one block and moves to its end. Returns this end, or undefined if the parser must read the text. */
function readBlock(walk: Walk, line: Line, column: number, alone: boolean): number | undefined {
  const { text } = walk;
  const { first } = line;
  if (column > MAX_COLUMN) return undefined;
  if (isFence(text, first)) return readFence(walk, line, column, !alone);
  if (text[first] === '>') return readQuote(walk, line, column, readInner);
  if (isHeading(text, first)) return readHeading(walk, line, alone);
  if (isRule(text, line)) {
    walk.at = line.end + 1;
    return line.end;
  }
  if (markerAt(text, first)) return readList(walk, line, column, alone, readInner);
  return isText(text, first) ? readParagraph(walk, line, column) : undefined;
}

const readInner = (walk: Walk, line: Line, column: number): number | undefined => readBlock(walk, line, column, false);

function readHeading(walk: Walk, line: Line, alone: boolean): number | undefined {
  const { text, blocks } = walk;
  const { first, end } = line;
  const textEnd = trimmedEnd(text, line);
  if ('#\t'.includes(text[textEnd - 1] as string)) return undefined;
  const [marker = '', signs = ''] = HEADING.exec(startOf(text, first)) ?? [];
  const textSpan = span(first + marker.length, textEnd);
  const source = text.slice(textSpan.start, textEnd);
  if (source.includes('\t')) return undefined;
  if (alone) blocks.headings.push({ level: signs.length, span: span(first, end), textSpan, text: source });
  if (!readProse(text, textSpan, blocks)) return undefined;
  walk.at = end + 1;
  return end;
}

function readParagraph(walk: Walk, { first }: Line, column: number): number | undefined {
  const end = readToParagraphEnd(walk, first, column);
  if (end === undefined || (column === 0 && isUnderline(walk.text, lineAt(walk.text, end + 1)))) return undefined;
  return readProse(walk.text, span(first, end), walk.blocks) ? end : undefined;
}

/** Reads a fence that is closed in its own block or continues to the end of the text. */
function readFence(walk: Walk, line: Line, column: number, nested: boolean): number | undefined {
  const { text, source, blocks } = walk;
  if (line.indent - column > 3) return undefined;
  const opening = text.slice(line.first, line.end);
  const marker = findOpening(opening.trimEnd());
  // The parser resolves escapes and character references in an info string.
  if (!marker || /[\\&\t]/.test(opening)) return undefined;
  for (let next = lineAt(text, line.end + 1); next.start < text.length; next = lineAt(text, next.end + 1)) {
    if (isBlankLine(next)) continue;
    if (next.indent < column) return undefined;
    if (text[next.first] !== marker.character || !isClosing(text.slice(next.first, next.end), marker)) continue;
    if (next.indent - column > 3) continue;
    // Only the parser knows whether spaces after the marker belong to the fence.
    if (trimmedEnd(text, next) !== next.end) return undefined;
    const contentSpan = span(line.end + 1, next.start);
    const place = span(line.first, next.end);
    blocks.fences.push(describeFence(source, place, contentSpan, marker, { closed: true, nested }));
    walk.at = next.end + 1;
    return next.end;
  }
  if (nested) return undefined;
  const place = span(line.first, text.length);
  const contentSpan = span(Math.min(line.end + 1, text.length), text.length);
  blocks.fences.push(describeFence(source, place, contentSpan, marker, { closed: false, nested }));
  walk.open = true;
  walk.at = text.length;
  return text.length;
}

// Lists whose items begin with a paragraph.

/** Reads an inner block at a column. Returns the end of the block, or undefined if the parser must read the text. */
type ReadInner = (walk: Walk, line: Line, column: number) => number | undefined;

/**
 * Reads the list whose first item is on `line`, in a block whose content is at the column `base`. Only a list outside
 * of other blocks (`alone`) is added to `lists`. Returns its end.
 */
function readList(walk: Walk, line: Line, base: number, alone: boolean, readInner: ReadInner): number | undefined {
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

/** Reads the following blocks at `column`; returns the end of the last block, or `end` if there are no blocks. */
function readBelow(walk: Walk, column: number, end: number, readInner: ReadInner): number | undefined {
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

/** Returns the next item of the list, or undefined at the end of the list. */
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
  // An item with a number other than 1 may begin another list or continue the paragraph.
  return (marker?.number ?? 1) === 1 ? undefined : 'unsure';
}

// The bold text at the start of a list item.

/** One piece of the text between the two `**` of bold text. */
const INSIDE_BOLD = String.raw`[^*_[\]\x60<\\&\n]|&(?= )|\n|(?<=[A-Za-z\d])_(?=[A-Za-z\d])|\\[!-/:-@[-\x60{-~]|\x60[^\x60\n]+\x60|\[[^*_[\]\x60<>!\\&\n]+\](?:(?![([])|\([\w./#:?=%+-]+\))`;

/** Bold text. A `**` after a letter or digit always closes; after another character, only if no letter follows. */
const BOLD = new RegExp(
  String.raw`\*\*((?=[^\s*])(?:${INSIDE_BOLD})+?(?<=\S))\*\*(?![*_])(?:(?<=[\p{L}\p{Nd}]\*\*)|(?=[\s\p{P}]|$))`,
  'uy',
);

const ONE_MARK = /[*_](?![*_])/y;

/** Returns the bold text at `start`, without its asterisks; `unsure` if only the parser can find its end. */
function findBold(text: string, start: number, end: number): Span | 'unsure' | undefined {
  const first = text[start];
  if ((first !== '*' && first !== '_') || matchAt(ONE_MARK, text, start)) return undefined;
  const bold = matchAt(BOLD, text, start);
  if (!bold || start + bold[0].length > end) return 'unsure';
  return span(start + 2, start + 2 + (bold[1]?.length ?? 0));
}

// Spaces replace the `>` of a quote, so that the quote is read like the content below a list item. A line without
// `>` begins to the left of that content.

/** The maximum depth of quotes. Each quote inside a quote copies its text. */
const MAX_DEPTH = 4;

/** Reads the quote that begins on `line`, in a block whose content is at `column`; returns its end. */
function readQuote(walk: Walk, line: Line, column: number, readInner: ReadInner): number | undefined {
  if (walk.depth === MAX_DEPTH) return undefined;
  const from = line.start;
  if (LATER_NUMBER.test(walk.text.slice(line.first, line.end))) return undefined;
  const lines = linesOfQuote(walk.text, line, column);
  const width = lines && widthOfMark(walk.text, lines);
  if (!lines || !width) return undefined;
  const inside = line.indent + width;
  // At this column, a line without `>` may begin a block in the quote or continue its paragraph.
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
  // A line without `>` that does not continue a paragraph is after the quote.
  if (nextContent(quote)) return undefined;
  appendBlocks(walk.blocks, quote.blocks, from);
  walk.at = to + 1;
  return to;
}

/** A quote that begins with an item whose number is not 1. The parser reads the item as text in some positions. */
const LATER_NUMBER = /^[> ]*(?!1[.)])\d+[.)]/;

interface QuoteLine extends Line {
  /** True if the line begins with `>`. A line without it may continue a paragraph. */
  readonly isMarked: boolean;
}

const withoutMark = (text: string, { start, first, end, isMarked }: QuoteLine): string =>
  isMarked ? `${text.slice(start, first)} ${text.slice(first + 1, end)}` : text.slice(start, end);

/**
 * Returns the lines that may belong to the quote that begins on `opening`; undefined if the parser must read the text.
 */
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

/** Returns whether a line without `>` begins a block regardless of the lines above it in the quote. */
function endsQuote(text: string, line: Line, column: number): boolean {
  const { first, indent } = line;
  const marker = markerAt(text, first);
  if (marker) return indent < column || (marker.number ?? 1) === 1;
  return isHeading(text, first) || isFence(text, first) || isRule(text, line);
}

/** Returns the width of `>` with its space; undefined if it differs between lines, or if a tab follows. */
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

// Prose: code spans and links with simple targets.

/** The marks with a meaning in prose. Emphasis does not change prose or links. */
const MARK = /[`<[!\\]/g;

/** A character of a target: no space, bracket or character reference. */
const IN_TARGET = String.raw`(?:[\w./#:?=%~+@,{$}!;'|^\u00a1-\u167f\u3001-\ufefe-]|&(?![\w#]+;))`;

const ESCAPED = String.raw`\\[!-/:-@^_{-~]`;

/** `[text](target)` whose text contains only words, code, emphasis and escapes. */
const LINK = new RegExp(
  String.raw`\[(?=\S)((?:[^[\]\x60<>!\\\n]|${ESCAPED}|\x60[^\x60\n]+\x60)+)(?<=\S)\]` +
    String.raw`\(((?:${IN_TARGET}|\(${IN_TARGET}*\))+)\)`,
  'y',
);

/** A `<` that does not begin a tag or an address. */
const LESS_THAN = /<(?![^\s<>]*@)(?=[\s\d=<|($~,\u0080-\uffff-]|$)/y;

const isPunctuation = (character: string | undefined): boolean => /^[!-/:-@[-`{-~]$/.test(character ?? '');

/** The maximum length of a string with unclosed code spans, whose ends are searched for in quadratic time. */
const MAX_UNCLOSED = 10_000;

/** Adds the prose, code spans and links of the text at `place`; returns false if the parser must read the text. */
function readProse(text: string, place: Span, blocks: MarkdownBlocks): boolean {
  let from = place.start;
  const endProse = (end: number, next: number) => {
    if (from < end) blocks.prose.push(span(from, end));
    from = Math.max(from, next);
  };
  const source = text.slice(place.start, place.end);
  const lastTarget = source.lastIndexOf('](');
  MARK.lastIndex = 0;
  for (let match = MARK.exec(source); match; match = MARK.exec(source)) {
    const at = place.start + match.index;
    const mark = match[0];
    if (mark === '`') {
      const code = codeAt(text, at, place.end);
      if (code) {
        blocks.codeSpans.push(code);
        endProse(code.start, code.end);
        MARK.lastIndex = code.end - place.start;
      } else if (source.length > MAX_UNCLOSED) return false;
      else MARK.lastIndex = endOfTicks(text, at, place.end) - place.start;
    } else if (mark === '[') {
      const link = matchAt(LINK, text, at);
      if (link && at + link[0].length <= place.end) {
        const [whole, words = '', url = ''] = link;
        const textSpan = span(at + 1, at + 1 + words.length);
        const urlSpan = span(textSpan.end + 2, textSpan.end + 2 + url.length);
        const end = at + whole.length;
        blocks.links.push({ kind: 'link', url, urlSpan, textSpan, span: span(at, end) });
        for (let tick = text.indexOf('`', at); tick >= 0 && tick < textSpan.end; ) {
          const code = codeAt(text, tick, textSpan.end);
          if (!code) return false;
          blocks.codeSpans.push(code);
          endProse(code.start, code.end);
          tick = text.indexOf('`', code.end);
        }
        endProse(textSpan.end, end);
        MARK.lastIndex = end - place.start;
      } else if (match.index <= lastTarget) return false;
    } else if (mark === '!') {
      if (text[at + 1] === '[' && match.index <= lastTarget) return false;
    } else if (mark === '\\') {
      if (isPunctuation(text[at + 1])) MARK.lastIndex = match.index + 2;
    } else if (!matchAt(LESS_THAN, text, at)) return false;
  }
  endProse(place.end, place.end);
  return true;
}

/** Returns the code span whose backticks begin at `start`; undefined if it is not closed before `limit`. */
function codeAt(text: string, start: number, limit: number): Span | undefined {
  const open = endOfTicks(text, start, limit);
  const length = open - start;
  for (let at = text.indexOf('`', open); at >= 0 && at < limit; ) {
    const end = endOfTicks(text, at, limit);
    if (end - at === length) return span(start, end);
    at = text.indexOf('`', end);
  }
  return undefined;
}

function endOfTicks(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit && text[at] === '`') at++;
  return at;
}

/** Matches a sticky pattern at an offset. */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

// Lines, and the starts of paragraphs, items and headings.

/** The state of the reader; `at` is the start of the next line. */
interface Walk {
  /** The text to read. Inside a quote, spaces replace its `>`. */
  readonly text: string;
  /** The original text. */
  readonly source: string;
  readonly blocks: MarkdownBlocks;
  at: number;
  /** True if a fence continues after the end of the text. */
  open: boolean;
  /** The number of quotes around the text. */
  readonly depth: number;
}

/** A line without its line break. `first` is the first character that is not a space, or `end` on an empty line. */
interface Line {
  readonly start: number;
  readonly first: number;
  readonly end: number;
  /** The number of spaces at the start of the line. */
  readonly indent: number;
}

function lineAt(text: string, start: number): Line {
  const found = text.indexOf('\n', start);
  const end = found < 0 ? text.length : found;
  let first = start;
  while (first < end && text[first] === ' ') first++;
  return { start, first, end, indent: first - start };
}

const isBlankLine = ({ first, end }: Line): boolean => first === end;

/** Returns the next line that is not empty; undefined at the end. */
function nextContent({ text, at }: Walk): Line | undefined {
  for (let start = at; start < text.length; ) {
    const line = lineAt(text, start);
    if (!isBlankLine(line)) return line;
    start = line.end + 1;
  }
  return undefined;
}

/** Returns the end of a line without the spaces at its end. */
function trimmedEnd(text: string, { first, end }: Line): number {
  let at = end;
  while (at > first && text[at - 1] === ' ') at--;
  return at;
}

const HEADING = /^(#{1,6}) (?=[^\s#])/;

/** The start of a line that begins or continues prose, and not another block or the underline of a heading. */
const TEXT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: characters outside of ASCII, except spaces, have no meaning.
  /^(?:[^\x00-\x7f\s]|[A-Za-z("'.,:;/$%@{}[!|^?)`&\\]|~(?!~~)|\*+(?=[^\s*])|_+(?=[^\s_])|[-+]{1,2}(?=[^\s\-+*_])|#+(?=[^\s#])|<(?=[\s\d=$\u0080-\uffff])|\d+(?![.)\d])|\d+[.)](?=\S))/;

/** The number of characters at the start of a line that determine the kind of its block. */
const LOOK = 16;

const startOf = (text: string, at: number): string => text.slice(at, at + LOOK);

const isHeading = (text: string, at: number): boolean => text[at] === '#' && HEADING.test(startOf(text, at));

const isFence = (text: string, at: number): boolean => text.startsWith('```', at) || text.startsWith('~~~', at);

const isText = (text: string, at: number): boolean => TEXT.test(startOf(text, at)) && !isFence(text, at);

/** Returns whether a line directly below a paragraph makes it a heading. */
const isUnderline = (text: string, { start, end }: Line): boolean =>
  (text[start] === '-' || text[start] === '=') && /^(?:-{2,}|={2,})$/.test(text.slice(start, end));

const isRule = (text: string, { first, end }: Line): boolean =>
  '-*_'.includes(text[first] as string) && /^(?:-{3,}|\*{3,}|_{3,})$/.test(text.slice(first, end));

/** The marker of a list item. */
interface Marker {
  /** `-`, `*` or `+`; for a number the `.` or `)` after it. */
  readonly kind: string;
  readonly number: number | undefined;
  /** The length without the following spaces. */
  readonly length: number;
  /** The length with the following spaces. */
  readonly width: number;
}

const BULLET = /^([-*+])( {1,4})(?=\S)/;
const NUMBERED = /^(\d{1,9})([.)])( {1,4})(?=\S)/;

function markerAt(text: string, at: number): Marker | undefined {
  const start = startOf(text, at);
  const bullet = BULLET.exec(start);
  if (bullet) return { kind: bullet[1] as string, number: undefined, length: 1, width: bullet[0].length };
  const numbered = NUMBERED.exec(start);
  if (!numbered) return undefined;
  const [whole, digits = '', kind = ''] = numbered;
  return { kind, number: Number(digits), length: digits.length + 1, width: whole.length };
}

/** A line that is not a definition, because the two words after its colon cannot be a target and a title. */
const NO_DEFINITION = /^\[[^[\]\n\\]*\]: *[^\s<]+ +[^\s"'(]/;

/** Returns whether up to three more spaces of indentation do not change how the line is read. */
const mayBeIndented = (text: string, at: number): boolean =>
  markerAt(text, at) !== undefined || isText(text, at) || interrupts(text, at);

/**
 * Reads the paragraph that begins at `from`, in a block whose content is at `column`, and moves past it. Returns its
 * end, including trailing spaces; undefined if the parser must read the text.
 */
function readToParagraphEnd(walk: Walk, from: number, column: number): number | undefined {
  const { text } = walk;
  let last = lineAt(text, from);
  for (;;) {
    const next = lineAt(text, last.end + 1);
    if (next.start >= text.length || isBlankLine(next)) break;
    const answer = continues(text, next, column);
    if (answer === 'unsure') return undefined;
    if (answer === 'no') break;
    last = next;
  }
  const source = text.slice(from, last.end);
  // Tabs have a width, and `[name]:` may define a link's target.
  if (source.includes('\t') || (source[0] === '[' && source.includes(']:') && !NO_DEFINITION.test(source)))
    return undefined;
  walk.at = last.end + 1;
  return last.end;
}

/** Returns whether a line directly below a line of a paragraph continues the paragraph. */
function continues(text: string, line: Line, column: number): 'yes' | 'no' | 'unsure' {
  const { first, indent } = line;
  const further = indent - column;
  if (further > 3) return 'yes';
  if (column === 0 && isUnderline(text, line)) return 'no';
  if (further < 0 && isRule(text, line)) return 'no';
  const marker = markerAt(text, first);
  if (further < 0 && (marker || (indent === 0 && isHeading(text, first)))) return 'no';
  // Inside a paragraph, only the number 1 begins a list; an item with another number may belong to a list around the
  // paragraph.
  if (marker && (marker.number ?? 1) === 1) return 'no';
  if (marker) return further === 0 && column === 0 ? 'yes' : 'unsure';
  if (interrupts(text, first)) return 'no';
  return isText(text, first) ? 'yes' : 'unsure';
}

/** Returns whether a line ends a paragraph and begins another block, regardless of the indentation. */
const interrupts = (text: string, at: number): boolean => text[at] === '>' || isFence(text, at) || isHeading(text, at);
