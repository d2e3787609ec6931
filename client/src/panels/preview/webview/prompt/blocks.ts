/**
 * Divides the prompt for display: blocks (a part, or one of its artifacts) consist of chunks that end with a line, and
 * chunks of pieces of one segment. The browser lays out chunks separately, and only those that are visible.
 */
import type { PromptPart, ShownComposition, ShownSegment } from '../../messages.ts';

export interface Block {
  /** Unique in the prompt, and stable while other blocks are added or removed. */
  readonly key: string;
  readonly part: PromptPart;
  /** The artifact's id; undefined for the framing, the request, and text before the first artifact. */
  readonly artifact: string | undefined;
  readonly tokens: number;
  readonly chunks: readonly Chunk[];
}

export interface Chunk {
  readonly pieces: readonly Piece[];
}

/** The part of a segment that is in one chunk. */
export interface Piece {
  /** UTF-16 offset in the prompt. */
  readonly start: number;
  readonly text: string;
  readonly segment: ShownSegment;
}

/** A chunk ends at the first line end after this many characters. */
const CHUNK = 1000;
/** A longer line is divided, so that a long value is not laid out as a whole at each keystroke. */
const LONGEST = 20_000;

/** The blocks with the first `limit` characters of the prompt. Tokens are those of whole blocks. */
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

/** Context and examples have a block for each artifact, which starts with its heading. Other parts are one block. */
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

/** True for chunks that look the same; their sources may differ. */
export const sameChunk = (a: Chunk, b: Chunk): boolean =>
  a.pieces.length === b.pieces.length &&
  a.pieces.every((piece, at) => {
    const other = b.pieces[at];
    return other?.text === piece.text && other.segment.kind === piece.segment.kind;
  });
