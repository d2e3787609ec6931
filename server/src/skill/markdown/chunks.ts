/**
 * A body is parsed in chunks, each on its own, so that after a keystroke only the chunk around it is parsed again.
 * A chunk ends where a heading or a paragraph must begin whatever came before it. The one effect on the result is
 * that a reference-style link whose definition stands in another chunk counts as text.
 */

import { owned } from '../flat.ts';
import { type Parsed, parseMarkdown } from '../markdown.ts';
import { appendReferences, type FoundReferences, findReferences } from '../references.ts';
import { appendBlocks, type Blocks, emptyBlocks } from './blocks.ts';
import { type FenceMarker, findOpening, isClosing } from './code-fences.ts';
import { BODY_LIMIT, CHUNK_LIMIT, costOf } from './cost.ts';
import { readPlainMarkdown } from './plain.ts';
import { scanMarkdown } from './scan.ts';
import { nextLine } from './spans.ts';

interface CachedChunk extends Parsed {
  readonly source: string;
  readonly found: FoundReferences;
  /** Nanoseconds, estimated. */
  readonly cost: number;
  /** Whether the chunk was scanned only because of what came before it. */
  readonly overBudget: boolean;
}

/**
 * Parsed chunks in the order in which they were asked for; a chunk's blocks depend on its text alone. An edit asks for the
 * same chunks in the same order but for a few, so each is compared with the next ones here: a map by text would read the
 * whole body for its hashes, which took 0.8 ms for 300 KB.
 */
export type ChunkCache = readonly CachedChunk[];

/** Characters: with fewer than `small` no chunk ends; with `large` it also ends before paragraphs, items, lesser headings. */
export interface ChunkSizes {
  readonly small: number;
  readonly large: number;
  /** Never before items, then. */
  readonly wholeLists?: boolean;
}

const SIZES: ChunkSizes = { small: 512, large: 4096 };
/** The parts of a chunk in which something is not plain: as small as can be. */
const PARTS: ChunkSizes = { small: 1, large: 1, wholeLists: true };

/** The blocks of `text` from `start` on and the references in their prose, with spans in `text`. */
export function parseChunks(
  text: string,
  start: number,
  previous?: ChunkCache,
  sizes: ChunkSizes = SIZES,
): { blocks: Blocks; found: FoundReferences; chunks: ChunkCache } {
  const chunks: CachedChunk[] = [];
  const findKnown = finderIn(previous ?? []);
  const blocks = emptyBlocks();
  const found: FoundReferences = { references: [], artifactSigns: [] };
  const cuts = cutsOf(text, start, sizes);
  let spent = 0;
  const chunkOf = (from: number, to: number): CachedChunk => {
    const source = text.slice(from, to);
    const known = findKnown(source);
    const isKnown = known?.overBudget === isOverBudget(spent, known?.cost ?? 0);
    // The text before an edit is let go: what a new chunk keeps are slices of the chunk alone.
    const chunk = known && isKnown ? known : readChunk(previous ? owned(source) : source, spent, sizes);
    chunks.push(chunk);
    return chunk;
  };
  for (let i = 0; i + 1 < cuts.length; ) {
    // Where a fence or an HTML block turns out to go on, the cut was none. Doubling keeps the work linear.
    let taken = 1;
    let chunk = chunkOf(cuts[i] as number, cuts[i + 1] as number);
    while (chunk.open && i + taken + 1 < cuts.length) {
      taken = Math.min(taken * 2, cuts.length - 1 - i);
      chunk = chunkOf(cuts[i] as number, cuts[i + taken] as number);
    }
    if (chunk.cost <= CHUNK_LIMIT) spent += chunk.cost;
    appendBlocks(blocks, chunk.blocks, cuts[i] as number);
    appendReferences(found, chunk.found, cuts[i] as number);
    i += taken;
  }
  return { blocks, found, chunks };
}

/** How many chunks an edit may make of one, or take away, and those behind are found again. */
const AHEAD = 8;

/** Finds chunks by their text, going forward from the one that was found last. */
function finderIn(chunks: ChunkCache): (source: string) => CachedChunk | undefined {
  let next = 0;
  return (source) => {
    for (let i = next; i < Math.min(next + AHEAD, chunks.length); i++) {
      if (chunks[i]?.source !== source) continue;
      next = i + 1;
      return chunks[i];
    }
    return undefined;
  };
}

const isOverBudget = (spent: number, cost: number): boolean => spent + cost > BODY_LIMIT;

function readChunk(source: string, spent: number, sizes: ChunkSizes): CachedChunk {
  const plain = readPlainMarkdown(source);
  // What is plain costs next to nothing, however long the body is.
  const cost = plain ? 0 : costOf(source);
  const overBudget = isOverBudget(spent, cost);
  const parsed = plain ?? parseChunk(source, cost, overBudget, sizes);
  return { source, cost, overBudget, found: findReferences(source, parsed.blocks.prose), ...parsed };
}

/** What may be the definition of a link's target; `]:` alone stands in much code. */
const DEFINITION = /^[ \t>*+\d.)-]*\[[^\]]*\]:/m;

function parseChunk(source: string, cost: number, overBudget: boolean, sizes: ChunkSizes): Parsed {
  if (overBudget || cost > CHUNK_LIMIT) return scanMarkdown(source);
  try {
    // Mostly one paragraph is what is not plain, and the parser need not read the rest. But a definition is for all of it.
    if (sizes === PARTS || DEFINITION.test(source)) return parseMarkdown(source);
    const { blocks, chunks } = parseChunks(source, 0, undefined, PARTS);
    return { blocks, open: chunks.at(-1)?.open ?? false };
  } catch {
    // The parser recurses; whatever the estimate does not foresee must not take the file down.
    return scanMarkdown(source);
  }
}

/** Where chunks may begin, with the start and the end of the body: ascending, without doubles. */
function cutsOf(text: string, start: number, { small, large, wholeLists = false }: ChunkSizes): number[] {
  const cuts = [start];
  let last = start;
  let fence: FenceMarker | undefined;
  let afterBlank = true;
  /** The marker of the list that stands by itself and that the line is in, if any. */
  let list = '';
  const lineAfter = lineWalker(text);
  for (let at = start; at < text.length; ) {
    const next = lineAfter(at);
    const first = text[at] as string;
    if (fence) {
      // Only fences at the line's start are followed: what is in a list cannot hold what looks like a cut.
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
      const length = at - last;
      const parting = level > 0 && level <= 2 && length >= small;
      if (
        parting ||
        (length >= large &&
          (level > 0 || (sibling && !wholeLists) || (afterBlank && PARAGRAPH.test(text.slice(at, at + 2)))))
      ) {
        cuts.push(at);
        last = at;
      }
      if (sibling) list = marker;
      else if (first !== ' ' && first !== '\t') list = '';
      afterBlank = false;
    }
    at = next;
  }
  if (text.length > last) cuts.push(text.length);
  return cuts;
}

/** What begins a paragraph when it follows a blank line. */
const PARAGRAPH = /^(?:[\p{L}_[{]|\*\*)/u;

/** Like `nextLine`, by the engine's own search where there is no lone carriage return to look for. */
function lineWalker(text: string): (at: number) => number {
  // The pattern alone took 0.15 ms for 300 KB that hold no `\r` at all.
  if (text.includes('\r') && /\r(?!\n)/.test(text)) return (at) => nextLine(text, at, text.length);
  return (at) => text.indexOf('\n', at) + 1 || text.length;
}

/** Whether the line's first mark, indented by three blanks at most, is that of the fence. */
function mayClose(text: string, at: number, { character }: FenceMarker): boolean {
  let start = at;
  while (start < at + 3 && text[start] === ' ') start++;
  return text[start] === character;
}

function headingLevel(text: string, at: number): number {
  return /^(#{1,6})(?=[ \t\n\r]|$)/.exec(text.slice(at, at + 7))?.[1]?.length ?? 0;
}

/** What the items of one list have in common, for a line that begins one with text; else the empty string. */
function itemMarker(text: string, at: number): string {
  const code = text.charCodeAt(at);
  // No `*`, `+`, `-` or digit: this is asked of every line.
  if (code < 42 || code > 57) return '';
  // Most items are a dash or a number, a blank and a letter, or one in bold; the pattern took half of the time in which a body is cut.
  let end = at;
  while (end < at + 9 && isDigit(text.charCodeAt(end))) end++;
  const mark = text[end] as string;
  const plain = end === at ? mark === '-' : mark === '.' || mark === ')';
  const word = text.startsWith('**', end + 2) ? end + 4 : end + 2;
  if (plain && text[end + 1] === ' ' && isLetter(text.charCodeAt(word))) return mark;
  const match = /^(?:([-+*])|\d{1,9}([.)]))[ \t]+(?:[^\s*_-]|\*\*\p{L})/u.exec(text.slice(at, at + 16));
  return match?.[1] ?? match?.[2] ?? '';
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;

/** A list may begin with any number, but the parser does not see that everywhere; it always sees a first item. */
const beginsList = (text: string, at: number): boolean => !/^(?!1[.)])\d/.test(text.slice(at, at + 2));
