/**
 * Parses a string in independent chunks, so that after a keystroke only the chunk around it is parsed again. Chunks end
 * where any parser would begin a new block. The result differs in only one respect: a reference-style link is read as
 * text if its definition is in another chunk.
 */
import { copyOf, nextLine, type Span, span } from '../../text.ts';
import { appendBlocks, emptyBlocks, type MarkdownBlocks, type Parsed } from './blocks.ts';
import { describeFence, type FenceMarker, findOpening, isClosing } from './code-fences.ts';
import { readInlines } from './inlines.ts';
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

/** Blocks with the estimated cost of parsing them. */
interface Costed extends Parsed {
  /** The cost of the blocks that only remark can read. */
  readonly cost: number;
  /** True if these blocks were only scanned, because the blocks before them had reached the limit. */
  readonly overLimit: boolean;
}

interface Chunk<Found> extends Costed {
  readonly source: string;
  readonly found: Found;
}

/** The chunks of a string, in order. */
export type ChunkCache<Found> = readonly Chunk<Found>[];

const LIMITS: ChunkLimits = { small: 512, large: 4096, cost: 5e9 };
/** The sizes that split a chunk into blocks if the quick reader cannot read it, because usually one block is the cause. */
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
  limits: ChunkLimits = LIMITS,
): { blocks: MarkdownBlocks; found: Found; chunks: ChunkCache<Found> } {
  const chunks: Chunk<Found>[] = [];
  const blocks = emptyBlocks();
  const found = prose.none();
  const findKnown = finderIn(previous ?? []);
  let left = limits.cost;
  const chunkOf = (source: string): Chunk<Found> => {
    const known = findKnown(source);
    if (known && known.overLimit === known.cost > left) return known;
    return readChunk(previous ? copyOf(source) : source, left, prose);
  };
  readPieces(
    text,
    start,
    limits,
    (source) => {
      const chunk = chunkOf(source);
      chunks.push(chunk);
      return chunk;
    },
    (chunk, from) => {
      left -= chunk.cost;
      appendBlocks(blocks, chunk.blocks, from);
      prose.append(found, chunk.found, from);
    },
  );
  return { blocks, found, chunks };
}

/** The maximum depth of quotes and lists. Deeper levels are not parsed, since remark recurses into each level. */
const DEEPEST = 150;

/** A line that may begin HTML, or a fence that is not at its start. Both may continue after the end of a piece. */
const MAY_CONTINUE = /^[ \t>*+.\d)-]*<[a-z/!?]|^[ \t>*+.\d)-]+(?:`{3}|~{3})/im;

/** So many marks of containers that remark may not parse the line. */
const MAY_NEST = new RegExp(`[ \\t>*+.\\d)-]{${DEEPEST}}`);

/** The length up to which no text but one with `MAY_NEST` reaches `PART_LIMIT`, in UTF-16 code units. */
const ALWAYS_PARSED = 3_000;

/**
 * Returns the links whose address may be a path or an anchor, and the parts that are only scanned, as `parseChunks` does.
 * Pieces that cannot contain such links are not parsed. Never throws.
 */
export function readLinks(text: string, start: number): Pick<MarkdownBlocks, 'links' | 'scanned'> {
  const blocks = emptyBlocks();
  let left = LIMITS.cost;
  const read = (source: string): Costed => (isPlain(source) ? PLAIN : readCosted(source, left));
  readPieces(text, start, LIMITS, read, (piece, from) => {
    left -= piece.cost;
    appendBlocks(blocks, piece.blocks, from);
  });
  return { links: blocks.links, scanned: blocks.scanned };
}

const PLAIN: Costed = { blocks: emptyBlocks(), open: false, cost: 0, overLimit: false };

/** Returns whether a piece has no links that matter, ends all its blocks, and is never only scanned. */
const isPlain = (source: string): boolean =>
  !source.includes('](') &&
  !source.includes(']:') &&
  source.length <= ALWAYS_PARSED &&
  !MAY_CONTINUE.test(source) &&
  !MAY_NEST.test(source);

/**
 * Splits `text` from `start` on, reads each piece, and passes it to `add` with its offset. A piece in which a fence or an
 * HTML block continues is read again together with more of the text.
 */
function readPieces<Piece extends Parsed>(
  text: string,
  start: number,
  sizes: ChunkSizes,
  read: (source: string) => Piece,
  add: (piece: Piece, from: number) => void,
): void {
  const ends = chunkEndsOf(text, start, sizes);
  let from = start;
  for (let i = 0; i < ends.length; i++) {
    let piece = read(text.slice(from, ends[i]));
    // Doubling the number of added pieces keeps the time linear.
    for (let more = 1; piece.open && i + 1 < ends.length; more *= 2) {
      i = Math.min(i + more, ends.length - 1);
      piece = read(text.slice(from, ends[i]));
    }
    add(piece, from);
    from = ends[i] as number;
  }
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

function readChunk<Found>(source: string, left: number, prose: ProseReader<Found>): Chunk<Found> {
  const costed = readCosted(source, left);
  return { ...costed, source, found: prose.read(source, costed.blocks.prose) };
}

/** Reads a chunk. `left` is the cost up to which remark may parse blocks. */
function readCosted(source: string, left: number): Costed {
  const quick = readMarkdownQuickly(source);
  if (quick) return { ...quick, cost: 0, overLimit: false };
  // A definition is valid for all paragraphs of the chunk, so the paragraphs of a small chunk are parsed together.
  const whole = source.length <= MAX_DEFINED && DEFINITION.test(source) ? remarkCost(source) : Number.POSITIVE_INFINITY;
  if (whole <= Math.min(PART_LIMIT, left)) return { ...readPart(source, true), cost: whole, overLimit: false };
  let cost = whole <= PART_LIMIT ? whole : 0;
  const mayParse = (part: string): boolean => {
    const own = cost > left ? Number.POSITIVE_INFINITY : remarkCost(part);
    if (own <= PART_LIMIT) cost += own;
    return own <= PART_LIMIT && cost <= left;
  };
  const parsed = readParts(source, mayParse);
  if (cost <= left) return { ...parsed, cost, overLimit: false };
  return { ...readParts(source, () => false), cost, overLimit: true };
}

function readParts(source: string, mayParse: (part: string) => boolean): Parsed {
  const blocks = emptyBlocks();
  let open = false;
  const read = (part: string): Parsed => readMarkdownQuickly(part) ?? readPart(part, mayParse(part));
  readPieces(source, 0, PARTS, read, (part, from) => {
    appendBlocks(blocks, part.blocks, from);
    open = part.open;
  });
  return { blocks, open };
}

/** The maximum length of a chunk that is parsed as a whole if it contains a definition, in UTF-16 code units. */
const MAX_DEFINED = 2 * LIMITS.large;

/** A line that may define the target of a link. Most lines that begin with `[^` are footnotes. */
const DEFINITION = /^[ \t>*+\d.)-]*\[(?!\^)[^\]]*\]:/m;

function readPart(source: string, mayParse: boolean): Parsed {
  try {
    return mayParse ? parseByRemark(source) : scanMarkdown(source);
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

/** The sizes of chunks, and the limit for the total cost of their blocks that only remark can read. */
interface ChunkLimits extends ChunkSizes {
  readonly cost: number;
}

/** Returns the end offsets of all chunks from `start` on, in order. The last offset is the end of the text. */
function chunkEndsOf(text: string, start: number, { small, large, wholeLists = false }: ChunkSizes): number[] {
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
      if (first === '`' || first === '~') fence = findOpening(text.slice(at, next).trimEnd());
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

/** The start of a line, after a blank line, that is not indented and does not begin an item of a list. */
const PARAGRAPH = /^(?:[^\s*+\d-]|[*+-][^\s]|\d+(?![\d.)])|\d+[.)]\S)/;
const beginsParagraph = (text: string, at: number): boolean => PARAGRAPH.test(text.slice(at, at + 12));

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
  const match = /^(?:([-+*])|\d{1,9}([.)]))[ \t]+(?:[^\s*_-]|\*\*?[^\s*]|__?[^\s_]|--?[^\s-])/.exec(
    text.slice(at, at + 16),
  );
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

// An estimate of the time that remark takes, which is quadratic for long paragraphs and for some inputs (`*_*_…`,
// `>>>>…`, many `<!--`). The unit is about a nanosecond. The estimate need not be exact, because the quick reader reads
// almost all text of real files.

/** The cost limit for one block. A block with a higher cost is scanned instead of parsed. */
const PART_LIMIT = 1e9;

const CHUNK = 40e3;
const CHARACTER = 250;
const TAB = 3e3;
const LINE = 6e3;
const LIST_ITEM = 30e3;
const MARK = 12e3;
const MARK_PAIR = 1.3;
const EMPHASIS_PAIR = 5;
const REREAD_CHARACTER = 20;
const QUOTED_LINE_PAIR = 60;
const NESTING_PAIR = 300;
/** Estimates the cost of parsing a string with remark; infinite if parsing might overflow the stack. */
function remarkCost(text: string): number {
  let cost = CHUNK + text.length * CHARACTER;
  let quotedLines = 0;
  // Marks interact within a paragraph, which is at most the text between two blank lines.
  let marks = 0;
  let emphases = 0;
  let runStart = 0;
  const endRun = (end: number) => {
    cost += marks * MARK + marks ** 2 * MARK_PAIR + emphases ** 2 * EMPHASIS_PAIR;
    if (marks > emphases) cost += charactersReread(text.slice(runStart, end)) * REREAD_CHARACTER;
    marks = 0;
    emphases = 0;
    runStart = end;
  };
  for (let at = 0; at < text.length; ) {
    const { depth, end, markers, isQuoted, tabs } = prefixOf(text, at);
    if (depth > DEEPEST) return Number.POSITIVE_INFINITY;
    cost += LINE + (markers > 0 ? LIST_ITEM : 0) + depth * depth * NESTING_PAIR + tabs * TAB;
    if (isQuoted) quotedLines++;
    let i = end;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 10 || code === 13) break;
      if (code === 9) cost += TAB;
      if (!isMark(code)) continue;
      marks++;
      if (code === 42 || code === 95) emphases++;
    }
    if (i === end) endRun(i);
    at = i + (text.charCodeAt(i) === 13 && text.charCodeAt(i + 1) === 10 ? 2 : 1);
  }
  endRun(text.length);
  return cost + quotedLines ** 2 * QUOTED_LINE_PAIR;
}

/** Returns the number of UTF-16 code units that remark reads again to find the ends of constructs in a paragraph. */
function charactersReread(paragraph: string): number {
  const text = paragraph.replace(/^[ \t>]+/gm, '');
  return readInlines({ text, source: text, place: span(0, text.length) }, emptyBlocks()) ?? 0;
}

/** Returns whether a code unit is one of ! & * < [ \ ] ^ _ or the backtick. */
const isMark = (code: number): boolean =>
  code === 33 || code === 38 || code === 42 || code === 60 || (code >= 91 && code <= 96);

/**
 * Reads the white space, quote and list markers at the start of a line. `depth` includes indentation before a marker.
 */
function prefixOf(
  text: string,
  start: number,
): { end: number; markers: number; isQuoted: boolean; tabs: number; depth: number } {
  let end = start;
  let markers = 0;
  let indent = 0;
  let tabs = 0;
  let isQuoted = false;
  for (; ; end++) {
    const code = text.charCodeAt(end);
    if (code === 32) indent++;
    else if (code === 9) tabs++;
    else if (code === 62) {
      isQuoted = true;
      markers++;
    } else if (isBlankAt(text, end + 1) && (code === 42 || code === 43 || code === 45)) markers++;
    else {
      const digits = code >= 48 && code <= 57 ? digitsFrom(text, end) : 0;
      if (digits === 0) break;
      markers++;
      end += digits;
    }
  }
  return { end, markers, isQuoted, tabs, depth: markers === 0 ? 0 : markers + (indent >> 1) + tabs };
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
