/**
 * A body is parsed in chunks, each on its own, so that after a keystroke only the chunk around it is parsed again.
 * A chunk ends where a heading or a paragraph must begin whatever came before it. The one effect on the result is
 * that a reference-style link whose definition stands in another chunk counts as text.
 */

import type { Span } from '../../text.ts';
import { appendBlocks, type Blocks, emptyBlocks } from './blocks.ts';
import { BODY_LIMIT, CHUNK_LIMIT, costOf } from './cost.ts';
import { type ChunkSizes, type Cut, cutsIn, isSameContext, type LineContext, NO_CONTEXT } from './cuts.ts';
import { owned } from './flat.ts';
import { type Parsed, parseMarkdown } from './markdown.ts';
import { readPlainMarkdown } from './plain.ts';
import { scanMarkdown } from './scan.ts';

/** What somebody else reads in the prose of each chunk, beside its blocks. */
export interface ProseReader<Found> {
  /** Reads the stretches `prose` of a chunk: sorted, without overlaps. */
  read(source: string, prose: readonly Span[]): Found;
  /** What is read of no text. */
  none(): Found;
  /** Appends `from` to `to`, its spans moved by `by`. */
  append(to: Found, from: Found, by: number): void;
}

/** A reader of nothing, for who wants the blocks alone. */
export const NO_PROSE: ProseReader<undefined> = { read: () => undefined, none: () => undefined, append() {} };

interface CachedChunk<Found> extends Parsed {
  readonly source: string;
  readonly found: Found;
  /** Nanoseconds, estimated. */
  readonly cost: number;
  /** Whether the chunk was scanned only because of what came before it. */
  readonly overBudget: boolean;
  /** Of its first line. */
  readonly before: LineContext;
  /** Of the line behind its last; undefined where cuts inside turned out to be none. */
  readonly after: LineContext | undefined;
}

/**
 * Parsed chunks in the order in which they were asked for; a chunk's blocks depend on its text alone. An edit asks for the
 * same chunks in the same order but for a few, so each is compared with the next ones here: a map by text would read the
 * whole body for its hashes, which took 0.8 ms for 300 KB.
 */
export type ChunkCache<Found> = readonly CachedChunk<Found>[];

const SIZES: ChunkSizes = { small: 512, large: 4096 };
/** The parts of a chunk in which something is not plain: as small as can be. */
const PARTS: ChunkSizes = { small: 1, large: 1, wholeLists: true };

/** The blocks of `text` from `start` on and what `prose` reads in them, with spans in `text`. */
export function parseChunks<Found>(
  text: string,
  start: number,
  prose: ProseReader<Found>,
  previous?: ChunkCache<Found>,
  sizes: ChunkSizes = SIZES,
): { blocks: Blocks; found: Found; chunks: ChunkCache<Found> } {
  const chunks: CachedChunk<Found>[] = [];
  const blocks = emptyBlocks();
  const found = prose.none();
  const findCut = cutsIn(text, sizes);
  const findKnown = finderIn(previous ?? []);
  let spent = 0;
  const isUsable = ({ overBudget, cost }: CachedChunk<Found>): boolean => overBudget === isOverBudget(spent, cost);
  /** The chunk between two cuts: `known` where that may be taken over, else one with the same text, else a new one. */
  const chunkOf = (
    from: Cut,
    to: Cut,
    after: LineContext | undefined,
    known?: CachedChunk<Found>,
  ): CachedChunk<Found> => {
    if (known && isUsable(known)) return known;
    const source = text.slice(from.at, to.at);
    const before = from.context;
    const same = findKnown((one) => one.source === source);
    if (same && isUsable(same)) return { ...same, before, after };
    // The text before an edit is let go: what a new chunk keeps are slices of the chunk alone.
    return { ...readChunk(previous ? owned(source) : source, spent, prose, sizes), before, after };
  };
  for (let from: Cut = { at: start, context: NO_CONTEXT }; from.at < text.length; ) {
    const known = findKnown(standsAt(text, from));
    const end = known?.after && { at: from.at + known.source.length, context: known.after };
    let to = findCut(from.at, end ?? from);
    let chunk = chunkOf(from, to, to.context, to.at === end?.at ? known : undefined);
    chunks.push(chunk);
    // Where a fence or an HTML block turns out to go on, the cut was none. Doubling keeps the work linear.
    for (let more = 1; chunk.open && to.at < text.length; more *= 2) {
      for (let i = 0; i < more && to.at < text.length; i++) to = findCut(to.at, to);
      chunk = chunkOf(from, to, undefined);
      chunks.push(chunk);
    }
    if (chunk.cost <= CHUNK_LIMIT) spent += chunk.cost;
    appendBlocks(blocks, chunk.blocks, from.at);
    prose.append(found, chunk.found, from.at);
    from = to;
  }
  return { blocks, found, chunks };
}

/** How many chunks an edit may make of one, or take away, and those behind are found again. */
const AHEAD = 8;

/** Finds chunks of before, going forward from the one that was found last. */
function finderIn<Found>(
  chunks: ChunkCache<Found>,
): (isWanted: (chunk: CachedChunk<Found>) => boolean) => CachedChunk<Found> | undefined {
  let next = 0;
  return (isWanted) => {
    for (let i = next; i < Math.min(next + AHEAD, chunks.length); i++) {
      const chunk = chunks[i] as CachedChunk<Found>;
      if (!isWanted(chunk)) continue;
      next = i + 1;
      return chunk;
    }
    return undefined;
  };
}

/** Finds out of a chunk whether its lines stand there again, and can hold no other cut than before. */
const standsAt =
  (text: string, { at, context }: Cut) =>
  ({ source, before, after }: CachedChunk<unknown>): boolean =>
    after !== undefined &&
    isSameContext(before, context) &&
    (source.endsWith('\n') || at + source.length === text.length) &&
    // Twenty times as fast as `startsWith`, which compares letter by letter.
    text.slice(at, at + source.length) === source;

const isOverBudget = (spent: number, cost: number): boolean => spent + cost > BODY_LIMIT;

function readChunk<Found>(
  source: string,
  spent: number,
  prose: ProseReader<Found>,
  sizes: ChunkSizes,
): Omit<CachedChunk<Found>, 'before' | 'after'> {
  const plain = readPlainMarkdown(source);
  // What is plain costs next to nothing, however long the body is.
  const cost = plain ? 0 : costOf(source);
  const overBudget = isOverBudget(spent, cost);
  const parsed = plain ?? parseChunk(source, cost, overBudget, sizes);
  return { source, cost, overBudget, found: prose.read(source, parsed.blocks.prose), ...parsed };
}

/** What may be the definition of a link's target; `]:` alone stands in much code. */
const DEFINITION = /^[ \t>*+\d.)-]*\[[^\]]*\]:/m;

function parseChunk(source: string, cost: number, overBudget: boolean, sizes: ChunkSizes): Parsed {
  if (overBudget || cost > CHUNK_LIMIT) return scanMarkdown(source);
  try {
    // Mostly one paragraph is what is not plain, and the parser need not read the rest. But a definition is for all of it.
    if (sizes === PARTS || DEFINITION.test(source)) return parseMarkdown(source);
    const { blocks, chunks } = parseChunks(source, 0, NO_PROSE, undefined, PARTS);
    return { blocks, open: chunks.at(-1)?.open ?? false };
  } catch {
    // The parser recurses; whatever the estimate does not foresee must not take the file down.
    return scanMarkdown(source);
  }
}
