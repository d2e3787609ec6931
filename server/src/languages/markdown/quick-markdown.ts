/**
 * The quick reader of common Markdown, line by line: it gives exactly the blocks that `parseByRemark` gives, or refuses
 * (undefined). `test/properties/markdown-quick.test.ts` holds that.
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

/** Bounds the recursion. */
const MAX_COLUMN = 60;

/** The blocks of a text; undefined where the parser must decide. */
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

/** Reads one block and moves behind it; the result is its end, undefined where the parser must decide. */
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

/** Fences that are closed where they stand or go on beyond the text; see the contract in `quick-markdown.ts`. */
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
    // Whether blanks behind the marker belong to the fence, the parser decides.
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

/** Reads a block inside another one at a column; the result is its end, undefined where the parser must decide. */
type ReadInner = (walk: Walk, line: Line, column: number) => number | undefined;

/**
 * Reads the list whose first item stands in `line`, in a block whose content stands at `base`. Only a list that is `alone`,
 * in no other block, is kept with its items. The result is its end.
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

/** Reads the blocks that stand at `column` below what ended at `end`; the result is the end of the last one. */
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

/** The list's next item; undefined where the list has ended. */
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
  // With another number than 1 it may be a list of its own or go on with the paragraph.
  return (marker?.number ?? 1) === 1 ? undefined : 'unsure';
}

// The bold text that a list item begins with.

/** What cannot be or hide an end of the bold text. */
const INSIDE = String.raw`[^*_[\]\x60<\\&\n]|&(?= )|\n|(?<=[A-Za-z\d])_(?=[A-Za-z\d])|\\[!-/:-@[-\x60{-~]|\x60[^\x60\n]+\x60|\[[^*_[\]\x60<>!\\&\n]+\](?:(?![([])|\([\w./#:?=%+-]+\))`;

/** Behind a letter or digit the closing `**` always closes; behind another sign only where no letter follows. */
const BOLD = new RegExp(
  String.raw`\*\*((?=[^\s*])(?:${INSIDE})+?(?<=\S))\*\*(?![*_])(?:(?<=[\p{L}\p{Nd}]\*\*)|(?=[\s\p{P}]|$))`,
  'uy',
);

const ONE_MARK = /[*_](?![*_])/y;

/** The bold text at `start`, without its asterisks; `unsure` where only the parser can tell. */
function findBold(text: string, start: number, end: number): Span | 'unsure' | undefined {
  const first = text[start];
  if ((first !== '*' && first !== '_') || matchAt(ONE_MARK, text, start)) return undefined;
  const bold = matchAt(BOLD, text, start);
  if (!bold || start + bold[0].length > end) return 'unsure';
  return span(start + 2, start + 2 + (bold[1]?.length ?? 0));
}

// Quotes: their `>` are replaced by blanks, so that what they hold is read as what stands below a list item. A line
// without `>` stands left of that column. See the contract in `quick-markdown.ts`.

/** Each quote within a quote copies its text. */
const MAX_DEPTH = 4;

/** Reads the quote that begins in `line`, in a block whose content stands at `column`; the result is its end. */
function readQuote(walk: Walk, line: Line, column: number, readInner: ReadInner): number | undefined {
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

// Running text: code spans and links with simple targets.

/** What may mean something in running text. Emphasis changes neither prose nor links. */
const MARK = /[`<[!\\]/g;

/** No blank, no bracket, no character reference. */
const IN_TARGET = String.raw`(?:[\w./#:?=%~+@,{$}!;'|^\u00a1-\u167f\u3001-\ufefe-]|&(?![\w#]+;))`;

const ESCAPED = String.raw`\\[!-/:-@^_{-~]`;

/** `[text](target)` whose text holds code, emphasis and escapes only. */
const LINK = new RegExp(
  String.raw`\[(?=\S)((?:[^[\]\x60<>!\\\n]|${ESCAPED}|\x60[^\x60\n]+\x60)+)(?<=\S)\]` +
    String.raw`\(((?:${IN_TARGET}|\(${IN_TARGET}*\))+)\)`,
  'y',
);

/** `<` that begins neither a tag nor an address. */
const LESS_THAN = /<(?![^\s<>]*@)(?=[\s\d=<|($~,\u0080-\uffff-]|$)/y;

const isPunctuation = (character: string | undefined): boolean => /^[!-/:-@[-`{-~]$/.test(character ?? '');

/** In a longer stretch, looking for the end of every unclosed code span would take quadratic time. */
const MAX_UNCLOSED = 10_000;

/** Adds the prose, code spans and links of a stretch of running text; false where the parser must decide. */
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

/** The code span whose backticks begin at `start`; undefined where nothing closes it before `limit`. */
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

// Lines: where they begin and end, and what may begin a paragraph, an item, a heading.

/** One walk over a text; `at` is where the next line begins. */
interface Walk {
  /** In a quote, its `>` are replaced by blanks. */
  readonly text: string;
  /** The text as it is written. */
  readonly source: string;
  readonly blocks: MarkdownBlocks;
  at: number;
  /** A fence goes on beyond the end of the text. */
  open: boolean;
  /** How many quotes are around the text. */
  readonly depth: number;
}

/** A line without its break; `first` is its first character that is no blank, `end` in an empty line. */
interface Line {
  readonly start: number;
  readonly first: number;
  readonly end: number;
  /** How many blanks it begins with. */
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

/** The next line that is not blank; undefined at the end. */
function nextContent({ text, at }: Walk): Line | undefined {
  for (let start = at; start < text.length; ) {
    const line = lineAt(text, start);
    if (!isBlankLine(line)) return line;
    start = line.end + 1;
  }
  return undefined;
}

/** The end of a line without the blanks at its end. */
function trimmedEnd(text: string, { first, end }: Line): number {
  let at = end;
  while (at > first && text[at - 1] === ' ') at--;
  return at;
}

const HEADING = /^(#{1,6}) (?=[^\s#])/;

/** What may begin running text or go on with it: no mark of another block, no underline of a heading. */
const TEXT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII, blanks excepted, means nothing.
  /^(?:[^\x00-\x7f\s]|[A-Za-z("'.,:;/$%@{}[!|^?)`&\\]|~(?!~~)|\*+(?=[^\s*])|_+(?=[^\s_])|[-+]{1,2}(?=[^\s\-+*_])|#+(?=[^\s#])|<(?=[\s\d=$\u0080-\uffff])|\d+(?![.)\d])|\d+[.)](?=\S))/;

/** So many characters tell what a line begins. */
const LOOK = 16;

const startOf = (text: string, at: number): string => text.slice(at, at + LOOK);

const isHeading = (text: string, at: number): boolean => text[at] === '#' && HEADING.test(startOf(text, at));

const isFence = (text: string, at: number): boolean => text.startsWith('```', at) || text.startsWith('~~~', at);

const isText = (text: string, at: number): boolean => TEXT.test(startOf(text, at)) && !isFence(text, at);

/** Whether a line directly below a paragraph makes a heading of it. */
const isUnderline = (text: string, { start, end }: Line): boolean =>
  (text[start] === '-' || text[start] === '=') && /^(?:-{2,}|={2,})$/.test(text.slice(start, end));

const isRule = (text: string, { first, end }: Line): boolean =>
  '-*_'.includes(text[first] as string) && /^(?:-{3,}|\*{3,}|_{3,})$/.test(text.slice(first, end));

/** The marker of a list item. */
interface Marker {
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

function markerAt(text: string, at: number): Marker | undefined {
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
const mayBeIndented = (text: string, at: number): boolean =>
  markerAt(text, at) !== undefined || isText(text, at) || interrupts(text, at);

/**
 * Reads to the end of the paragraph that begins at `from`, in a block whose content stands at `column`, and moves behind
 * it. The result is its end, with trailing blanks; undefined where the parser must decide.
 */
function readToParagraphEnd(walk: Walk, from: number, column: number): number | undefined {
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
