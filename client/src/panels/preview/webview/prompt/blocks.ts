/**
 * The prompt as it is laid out: blocks (a part, or one artifact of it), cut into chunks at line ends, cut into pieces of
 * one segment each. A chunk is what the browser lays out at once, so that one changed word costs one chunk and a prompt of
 * ten thousand lines costs what is in sight.
 */
import type { PromptPart, ShownComposition, ShownSegment } from '../../messages.ts';

export interface Block {
  /** Unique in the prompt, and the same while other blocks come and go. */
  readonly key: string;
  readonly part: PromptPart;
  /** The artifact's id; undefined for the framing, the request, and what stands before the first artifact. */
  readonly artifact: string | undefined;
  readonly tokens: number;
  readonly chunks: readonly Chunk[];
}

export interface Chunk {
  readonly pieces: readonly Piece[];
}

/** A stretch of one segment, in one chunk. */
export interface Piece {
  /** UTF-16 offset in the prompt. */
  readonly start: number;
  readonly text: string;
  readonly segment: ShownSegment;
}

/** A chunk ends at the first line end behind so many characters. */
const CHUNK = 1000;
/** A line without an end in sight is cut all the same, or one long value would be laid out whole at each keystroke. */
const LONGEST = 20_000;

/** The blocks of the first `limit` characters; tokens count whole blocks. */
export function blocksOf({ prompt, segments }: ShownComposition, limit: number): readonly Block[] {
  const seen = new Map<string, number>();
  return groups(segments).map(({ part, artifact, members }) => {
    const name = `${part}:${artifact ?? ''}`;
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    const tokens = members.reduce((sum, segment) => sum + segment.tokens, 0);
    return { key: `${name}:${nth}`, part, artifact, tokens, chunks: chunksOf(prompt, members, limit) };
  });
}

interface Group {
  readonly part: PromptPart;
  artifact: string | undefined;
  readonly members: ShownSegment[];
}

/** Context and examples have a block for each artifact, which its heading begins; includes within the framing have none. */
function groups(segments: readonly ShownSegment[]): readonly Group[] {
  const all: Group[] = [];
  for (const segment of segments) {
    const { part, artifact, kind } = segment;
    const last = all.at(-1);
    const listed = part === 'context' || part === 'examples';
    const begins = listed && kind === 'fixed' && artifact !== undefined && last?.artifact !== undefined;
    if (last?.part !== part || (begins && last.artifact !== artifact)) {
      all.push({ part, artifact: listed ? artifact : undefined, members: [segment] });
    } else {
      if (listed) last.artifact ??= artifact;
      last.members.push(segment);
    }
  }
  return all;
}

function chunksOf(prompt: string, segments: readonly ShownSegment[], limit: number): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let pieces: Piece[] = [];
  let length = 0;
  const close = (): void => {
    if (pieces.length > 0) chunks.push({ pieces });
    pieces = [];
    length = 0;
  };
  for (const segment of segments) {
    const end = Math.min(segment.end, limit);
    let start = segment.start;
    while (start < end) {
      const lineEnd = prompt.indexOf('\n', start + Math.max(0, CHUNK - length - 1));
      const ends = lineEnd >= 0 && lineEnd < end;
      const cut = Math.min(ends ? lineEnd + 1 : end, start + Math.max(1, LONGEST - length));
      pieces.push({ start, text: prompt.slice(start, cut), segment });
      length += cut - start;
      start = cut;
      if (length >= LONGEST || (ends && start === lineEnd + 1)) close();
    }
  }
  close();
  return chunks;
}

/** True where both look the same; where they come from may have moved. */
export const sameChunk = (a: Chunk, b: Chunk): boolean =>
  a.pieces.length === b.pieces.length &&
  a.pieces.every((piece, at) => {
    const other = b.pieces[at];
    return other?.text === piece.text && other.segment.kind === piece.segment.kind;
  });
