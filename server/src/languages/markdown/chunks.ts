/**
 * A text is parsed in chunks, each on its own, so that after a keystroke only the chunk around it is parsed again.
 * Chunks end where any parser would begin a new block. Their only effect on the result: a reference-style link whose
 * definition stands in another chunk counts as text.
 */
import { copyOf, type Span } from '../../text.ts';
import { appendBlocks, type Blocks, emptyBlocks, type Parsed } from './blocks.ts';
import { type ChunkSizes, chunkEndsOf } from './chunk-ends.ts';
import { readMarkdownQuickly } from './quick/quick-markdown.ts';
import { parseByRemark } from './remark.ts';
import { CHUNK_LIMIT, remarkCost, TEXT_LIMIT } from './remark-cost.ts';
import { scanMarkdown } from './scan.ts';

/** What a caller reads in the prose of each chunk, beside its blocks. */
export interface ProseReader<Found> {
  /** Reads the stretches `prose` of a chunk: sorted, without overlaps. */
  read(source: string, prose: readonly Span[]): Found;
  /** What is found in an empty text. */
  none(): Found;
  /** Appends `from` to `to`, its spans moved by `by`. */
  append(to: Found, from: Found, by: number): void;
}

/** For callers that want the blocks alone. */
export const NO_PROSE: ProseReader<undefined> = { read: () => undefined, none: () => undefined, append() {} };

interface Chunk<Found> extends Parsed {
  readonly source: string;
  readonly found: Found;
  /** What remark would cost; 0 where the quick reader read the chunk. */
  readonly cost: number;
  /** True where the chunk was only scanned because the chunks before it had used up the limit of the text. */
  readonly overLimit: boolean;
}

/** The chunks of a text, in its order. */
export type ChunkCache<Found> = readonly Chunk<Found>[];

const SIZES: ChunkSizes = { small: 512, large: 4096 };
/** Single paragraphs, for a chunk that the quick reader refuses: mostly it refuses one of them. */
const PARTS: ChunkSizes = { small: 1, large: 1, wholeLists: true };

/**
 * The blocks of `text` from `start` on and what `prose` reads in them, with spans in `text`. `previous` are the chunks of
 * the text before an edit; they are reused where their text is the same and never change the result.
 */
export function parseChunks<Found>(
  text: string,
  start: number,
  prose: ProseReader<Found>,
  previous?: ChunkCache<Found>,
  sizes: ChunkSizes = SIZES,
): { blocks: Blocks; found: Found; chunks: ChunkCache<Found> } {
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
    // A fence or an HTML block that goes on takes more chunks in; doubling their number keeps this linear.
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

/** An edit adds or removes at most so many chunks before those behind it are found again. */
const AHEAD = 8;

/** Finds chunks by their text, each search going on behind the chunk that was found last. */
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

/** What may define a link's target. */
const DEFINITION = /^[ \t>*+\d.)-]*\[[^\]]*\]:/m;

function parseChunk(source: string, cost: number, overLimit: boolean, sizes: ChunkSizes): Parsed {
  if (overLimit || cost > CHUNK_LIMIT) return scanMarkdown(source);
  try {
    // A definition counts for all paragraphs of the chunk, so they are parsed together.
    if (sizes === PARTS || DEFINITION.test(source)) return parseByRemark(source);
    const { blocks, chunks } = parseChunks(source, 0, NO_PROSE, undefined, PARTS);
    return { blocks, open: chunks.at(-1)?.open ?? false };
  } catch {
    // The parser's recursion overflowed in a way that the estimate does not foresee.
    return scanMarkdown(source);
  }
}
