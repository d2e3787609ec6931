/**
 * A body is parsed in chunks, each on its own, so that after a keystroke only the chunk around it is parsed again.
 * A chunk ends where a heading or a paragraph must begin whatever came before it. The one effect on the result is
 * that a reference-style link whose definition stands in another chunk counts as text.
 */

import { owned } from '../flat.ts';
import { type Parsed, parseMarkdown } from '../markdown.ts';
import { appendReferences, type FoundReferences, findReferences } from '../references.ts';
import { appendBlocks, type Blocks, emptyBlocks } from './blocks.ts';
import { BODY_LIMIT, CHUNK_LIMIT, costOf } from './cost.ts';
import { type ChunkSizes, type Cut, cutsIn, isSameContext, type LineContext, NO_CONTEXT } from './cuts.ts';
import { readPlainMarkdown } from './plain.ts';
import { scanMarkdown } from './scan.ts';

interface CachedChunk extends Parsed {
  readonly source: string;
  readonly found: FoundReferences;
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
export type ChunkCache = readonly CachedChunk[];

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
  const blocks = emptyBlocks();
  const found: FoundReferences = { references: [], artifactSigns: [] };
  const findCut = cutsIn(text, sizes);
  const findKnown = finderIn(previous ?? []);
  let spent = 0;
  const isUsable = ({ overBudget, cost }: CachedChunk): boolean => overBudget === isOverBudget(spent, cost);
  /** The chunk between two cuts: `known` where that may be taken over, else one with the same text, else a new one. */
  const chunkOf = (from: Cut, to: Cut, after: LineContext | undefined, known?: CachedChunk): CachedChunk => {
    if (known && isUsable(known)) return known;
    const source = text.slice(from.at, to.at);
    const before = from.context;
    const same = findKnown((one) => one.source === source);
    if (same && isUsable(same)) return { ...same, before, after };
    // The text before an edit is let go: what a new chunk keeps are slices of the chunk alone.
    return { ...readChunk(previous ? owned(source) : source, spent, sizes), before, after };
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
    appendReferences(found, chunk.found, from.at);
    from = to;
  }
  return { blocks, found, chunks };
}

/** How many chunks an edit may make of one, or take away, and those behind are found again. */
const AHEAD = 8;

/** Finds chunks of before, going forward from the one that was found last. */
function finderIn(chunks: ChunkCache): (isWanted: (chunk: CachedChunk) => boolean) => CachedChunk | undefined {
  let next = 0;
  return (isWanted) => {
    for (let i = next; i < Math.min(next + AHEAD, chunks.length); i++) {
      const chunk = chunks[i] as CachedChunk;
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
  ({ source, before, after }: CachedChunk): boolean =>
    after !== undefined &&
    isSameContext(before, context) &&
    (source.endsWith('\n') || at + source.length === text.length) &&
    // Twenty times as fast as `startsWith`, which compares letter by letter.
    text.slice(at, at + source.length) === source;

const isOverBudget = (spent: number, cost: number): boolean => spent + cost > BODY_LIMIT;

function readChunk(source: string, spent: number, sizes: ChunkSizes): Omit<CachedChunk, 'before' | 'after'> {
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
