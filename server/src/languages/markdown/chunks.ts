/**
 * Parses a string in independent chunks, so that after a keystroke only the chunk around it is parsed again. Chunks end
 * where any parser would begin a new block. The result differs in only one respect: a reference-style link is read as
 * text if its definition is in another chunk.
 */
import { copyOf, nextLine, type Span, span } from '../../text.ts';
import { appendBlocks, emptyBlocks, type MarkdownBlocks, type Parsed } from './blocks.ts';
import { describeFence, type FenceMarker, findOpening, isClosing } from './code-fences.ts';
import { readMarkdownQuickly } from './quick-markdown.ts';
import { parseByRemark } from './remark.ts';
import { trimSpan } from './spans.ts';

/** A reader for the prose in each chunk, whose results are returned in addition to the blocks. */
export interface ProseReader<Found> {
  /** Reads the spans `prose` of a chunk, which are sorted and do not overlap. */
  read(source: string, prose: readonly Span[]): Found;
  /** Returns the result for an empty string. */
  none(): Found;
  /** Appends `from` to `to` with its spans moved by `by`. */
  append(to: Found, from: Found, by: number): void;
}

/** The prose reader for callers that need only the blocks. */
export const NO_PROSE: ProseReader<undefined> = { read: () => undefined, none: () => undefined, append() {} };

interface Chunk<Found> extends Parsed {
  readonly source: string;
  readonly found: Found;
  /** The estimated cost of parsing with remark; 0 if the quick reader read the chunk. */
  readonly cost: number;
  /** True if the chunk was only scanned because the chunks before it had reached `TEXT_LIMIT`. */
  readonly overLimit: boolean;
}

/** The chunks of a string, in order. */
export type ChunkCache<Found> = readonly Chunk<Found>[];

const SIZES: ChunkSizes = { small: 512, large: 4096 };
/**
 * The sizes that split a chunk into single paragraphs if the quick reader cannot read the chunk, because usually only
 * one paragraph is the cause.
 */
const PARTS: ChunkSizes = { small: 1, large: 1, wholeLists: true };

/**
 * Returns the blocks of `text` from the UTF-16 offset `start` on and the results of `prose`, with spans in `text`.
 * `previous` contains the chunks before an edit. Reusing chunks with the same text never changes the result.
 * Never throws.
 */
export function parseChunks<Found>(
  text: string,
  start: number,
  prose: ProseReader<Found>,
  previous?: ChunkCache<Found>,
  sizes: ChunkSizes = SIZES,
): { blocks: MarkdownBlocks; found: Found; chunks: ChunkCache<Found> } {
  const chunks: Chunk<Found>[] = [];
  const blocks = emptyBlocks();
  const found = prose.none();
  const findKnown = finderIn(previous ?? []);
  let spent = 0;
  const chunkOf = (source: string): Chunk<Found> => {
    const known = findKnown(source);
    if (known && known.overLimit === isOverLimit(spent, known.cost)) return known;
    return readChunk(previous ? copyOf(source) : source, spent, prose, sizes);
  };
  const ends = chunkEndsOf(text, start, sizes);
  let from = start;
  for (let i = 0; i < ends.length; i++) {
    let chunk = chunkOf(text.slice(from, ends[i]));
    chunks.push(chunk);
    // A fence or an HTML block that continues is parsed with more chunks. Doubling the number of chunks keeps the time
    // linear.
    for (let more = 1; chunk.open && i + 1 < ends.length; more *= 2) {
      i = Math.min(i + more, ends.length - 1);
      chunk = chunkOf(text.slice(from, ends[i]));
      chunks.push(chunk);
    }
    if (chunk.cost <= CHUNK_LIMIT) spent += chunk.cost;
    appendBlocks(blocks, chunk.blocks, from);
    prose.append(found, chunk.found, from);
    from = ends[i] as number;
  }
  return { blocks, found, chunks };
}

/**
 * The number of previous chunks that are searched. If an edit adds or removes more chunks, the chunks after it are
 * parsed again.
 */
const AHEAD = 8;

/** Returns a function that finds chunks by their text. Each search begins after the last found chunk. */
function finderIn<Found>(chunks: ChunkCache<Found>): (source: string) => Chunk<Found> | undefined {
  let next = 0;
  return (source) => {
    const index = chunks.slice(next, next + AHEAD).findIndex((chunk) => chunk.source === source);
    if (index < 0) return undefined;
    next += index + 1;
    return chunks[next - 1];
  };
}

const isOverLimit = (spent: number, cost: number): boolean => spent + cost > TEXT_LIMIT;

function readChunk<Found>(source: string, spent: number, prose: ProseReader<Found>, sizes: ChunkSizes): Chunk<Found> {
  const quick = readMarkdownQuickly(source);
  const cost = quick ? 0 : remarkCost(source);
  const overLimit = isOverLimit(spent, cost);
  const parsed = quick ?? parseChunk(source, cost, overLimit, sizes);
  return { source, cost, overLimit, found: prose.read(source, parsed.blocks.prose), ...parsed };
}

/** A line that may define the target of a link. */
const DEFINITION = /^[ \t>*+\d.)-]*\[[^\]]*\]:/m;

function parseChunk(source: string, cost: number, overLimit: boolean, sizes: ChunkSizes): Parsed {
  if (overLimit || cost > CHUNK_LIMIT) return scanMarkdown(source);
  try {
    // A definition is valid for all paragraphs of the chunk, so the paragraphs are parsed together.
    if (sizes === PARTS || DEFINITION.test(source)) return parseByRemark(source);
    const { blocks, chunks } = parseChunks(source, 0, NO_PROSE, undefined, PARTS);
    return { blocks, open: chunks.at(-1)?.open ?? false };
  } catch {
    // The recursion of the parser overflowed the stack although the estimate allowed it.
    return scanMarkdown(source);
  }
}

// Chunks end before lines that begin a heading or a paragraph regardless of the lines above.

/**
 * The sizes of chunks in UTF-16 code units. A chunk never ends before it has the length `small`. From the length
 * `large` on, it also ends before paragraphs, list items and headings below level 2.
 */
interface ChunkSizes {
  readonly small: number;
  readonly large: number;
  /** True if no chunk may end before a list item. */
  readonly wholeLists?: boolean;
}

/** Returns the end offsets of all chunks from `start` on, in order. The last offset is the end of the text. */
export function chunkEndsOf(text: string, start: number, { small, large, wholeLists = false }: ChunkSizes): number[] {
  const ends: number[] = [];
  let from = start;
  let afterBlank = true;
  /** The item marker of the list that may contain the line. */
  let list = '';
  /**
   * The fence that contains the line. Fences in lists are not tracked, because no line in such a fence looks like
   * the end of a chunk.
   */
  let fence: FenceMarker | undefined;
  const nextLineAfter = nextLineIn(text);
  for (let at = start, next = at; at < text.length; at = next) {
    next = nextLineAfter(at);
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

/** Returns `nextLine` for this text. Without lone `\r`, it searches only for `\n`, which is much faster. */
function nextLineIn(text: string): (at: number) => number {
  if (text.includes('\r') && /\r(?!\n)/.test(text)) return (at) => nextLine(text, at);
  return (at) => text.indexOf('\n', at) + 1 || text.length;
}

/** The start of a paragraph after a blank line. */
const PARAGRAPH = /^(?:[\p{L}_[{]|\*\*)/u;
const beginsParagraph = (text: string, at: number): boolean => PARAGRAPH.test(text.slice(at, at + 2));

/** Returns whether the line begins with the fence's character, after at most three spaces. */
function mayClose(text: string, at: number, { character }: FenceMarker): boolean {
  let start = at;
  while (start < at + 3 && text[start] === ' ') start++;
  return text[start] === character;
}

function headingLevel(text: string, at: number): number {
  return /^(#{1,6})(?=[ \t\n\r]|$)/.exec(text.slice(at, at + 7))?.[1]?.length ?? 0;
}

/** Returns `-`, `+`, `*`, `.` or `)` for a line that begins a list item with text; an empty string for other lines. */
function itemMarker(text: string, at: number): string {
  if (!'-+*0123456789'.includes(text[at] as string)) return '';
  const match = /^(?:([-+*])|\d{1,9}([.)]))[ \t]+(?:[^\s*_-]|\*\*\p{L})/u.exec(text.slice(at, at + 16));
  return match?.[1] ?? match?.[2] ?? '';
}

/** Returns false for an item with a number other than 1, because such an item begins a list only in some positions. */
const beginsList = (text: string, at: number): boolean => !/^(?!1[.)])\d/.test(text.slice(at, at + 2));

/** Reads only `#` headings and fences, line by line, for strings whose parsing would take too long. */
function scanMarkdown(text: string): Parsed {
  const blocks = emptyBlocks();
  let fence: { marker: FenceMarker; start: number; contentStart: number } | undefined;
  const endFence = (end: number, contentEnd: number, closed: boolean) => {
    if (!fence) return;
    const place = span(fence.start, end);
    const contentSpan = span(fence.contentStart, contentEnd);
    blocks.fences.push(describeFence(text, place, contentSpan, fence.marker, { closed, nested: false }));
    blocks.blocks.push({ kind: 'fence', span: place });
    fence = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const next = nextLine(text, at);
    let start = at;
    while (start < at + 3 && text[start] === ' ') start++;
    const mark = text[start];
    if (fence && mark === fence.marker.character && isClosing(text.slice(start, next), fence.marker)) {
      endFence(trimSpan(text, span(start, next)).end, at, true);
    } else if (!fence && (mark === '`' || mark === '~')) {
      const marker = findOpening(text.slice(start, next).trimEnd());
      if (marker) fence = { marker, start, contentStart: next };
    } else if (!fence && mark === '#') {
      const line = trimSpan(text, span(start, next));
      const source = text.slice(line.start, line.end);
      const level = /^#{1,6}(?=[ \t]|$)/.exec(source)?.[0].length;
      if (level !== undefined) {
        const closing = /[ \t]#+$/.exec(source.slice(level));
        const textSpan = trimSpan(text, span(start + level, line.end - (closing?.[0].length ?? 0)));
        blocks.headings.push({ level, span: line, textSpan, text: text.slice(textSpan.start, textSpan.end) });
        blocks.blocks.push({ kind: 'heading', span: line });
      }
    }
    at = next;
  }
  const open = fence !== undefined;
  endFence(text.length, text.length, false);
  blocks.scanned.push(span(0, text.length));
  return { blocks, open };
}

// An estimate of the time that remark takes, which is quadratic for some inputs (`*_*_…`, `>>>>…`, many `<!--`). The
// unit is about a nanosecond. The estimate need not be exact, because real files are far below the limits.

/** The cost limit for one chunk. A chunk with a higher cost is scanned instead of parsed. */
export const CHUNK_LIMIT = 100e6;
/** The limit for the total cost of all chunks of a string. The rest of the text is scanned. */
export const TEXT_LIMIT = 1000e6;

const CHUNK = 40e3;
const CHARACTER = 250;
const TAB = 3e3;
const LINE = 6e3;
const LIST_ITEM = 30e3;
const MARK = 12e3;
const EMPHASIS_PAIR = 5;
const RESCANNED_CHARACTER = 20;
const NESTING_PAIR = 300;
/** The maximum depth of quotes and lists. Deeper levels are not parsed, since remark recurses into each level. */
const DEEPEST = 150;

/** Estimates the cost of parsing a string with remark; infinite if parsing might overflow the stack. */
export function remarkCost(text: string): number {
  let cost = CHUNK + text.length * CHARACTER;
  // Marks interact within a paragraph, which is at most the text between two blank lines.
  let emphases = 0;
  let rescans = 0;
  let runStart = 0;
  let isAfterBlank = false;
  const endRun = (end: number) => {
    cost += emphases * emphases * EMPHASIS_PAIR + rescans * (end - runStart) * RESCANNED_CHARACTER;
    emphases = 0;
    rescans = 0;
    runStart = end;
  };
  for (let at = 0; at < text.length; ) {
    const prefix = prefixOf(text, at);
    if (prefix.depth > DEEPEST) return Number.POSITIVE_INFINITY;
    cost +=
      LINE + (prefix.markers > 0 ? LIST_ITEM : 0) + prefix.depth * prefix.depth * NESTING_PAIR + prefix.tabs * TAB;
    let ticks = 0;
    let i = prefix.end;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 10 || code === 13) break;
      // remark searches the whole paragraph for the end of a long run of backticks, but soon finds the end of a short
      // one.
      ticks = code === 96 ? ticks + 1 : 0;
      if (ticks === 4) rescans++;
      if (code === 9) cost += TAB;
      if (!isMark(code)) continue;
      cost += MARK;
      if (code === 42 || code === 95) emphases++;
      else if (code === 60) rescans++;
    }
    const isBlank = i === prefix.end;
    // Headings and paragraphs are parsed separately after the quick reader could not read the chunk.
    if (!isBlank && (isAfterBlank || text.charCodeAt(at) === 35)) cost += CHUNK;
    if (isBlank) endRun(i);
    isAfterBlank = isBlank;
    at = i + (text.charCodeAt(i) === 13 && text.charCodeAt(i + 1) === 10 ? 2 : 1);
  }
  endRun(text.length);
  return cost;
}

/** Returns whether a code unit is one of ! & * < [ \ ] ^ _ or the backtick. */
const isMark = (code: number): boolean =>
  code === 33 || code === 38 || code === 42 || code === 60 || (code >= 91 && code <= 96);

/**
 * Reads the white space, quote and list markers at the start of a line. `depth` includes indentation before a marker.
 */
function prefixOf(text: string, start: number): { end: number; markers: number; tabs: number; depth: number } {
  let end = start;
  let markers = 0;
  let indent = 0;
  let tabs = 0;
  for (; ; end++) {
    const code = text.charCodeAt(end);
    if (code === 32) indent++;
    else if (code === 9) tabs++;
    else if (code === 62) markers++;
    else if (isBlankAt(text, end + 1) && (code === 42 || code === 43 || code === 45)) markers++;
    else {
      const digits = code >= 48 && code <= 57 ? digitsFrom(text, end) : 0;
      if (digits === 0) break;
      markers++;
      end += digits;
    }
  }
  return { end, markers, tabs, depth: markers === 0 ? 0 : markers + (indent >> 1) + tabs };
}

const isBlankAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code === 32 || code === 9;
};

/** Returns the number of digits at `at` if a `.` or `)` and a space follow the digits, otherwise 0. */
function digitsFrom(text: string, at: number): number {
  let end = at;
  while (end - at < 10 && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
  const code = text.charCodeAt(end);
  return (code === 46 || code === 41) && isBlankAt(text, end + 1) ? end - at : 0;
}
