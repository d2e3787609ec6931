/** Pairs of skills that say nearly the same (docs/registry.md, "Overlap"). */
import { OverlapIndex } from '../matching/overlap-index.ts';
import type { Term } from '../matching/words.ts';

export interface Pair {
  /** Places in the list that was given, `a` before `b`. */
  readonly a: number;
  readonly b: number;
  /** The cosine, 0 to 1. */
  readonly similarity: number;
  /** What both say, the most telling first. */
  readonly shared: readonly string[];
}

/** Where so much is alike, more pairs help nobody. */
const MAX_PAIRS = 10_000;

export interface Overlaps {
  /** From the most similar down. */
  readonly pairs: readonly Pair[];
  /** There are more pairs than were looked for. */
  readonly isCut: boolean;
}

/**
 * The pairs with a similarity of at least `threshold` (above 0). Each text is the list of its words in their order. A text
 * that another repeats is compared with that one alone.
 */
export function overlaps(texts: readonly (readonly Term[])[], threshold: number): Overlaps {
  const index = new OverlapIndex<number>();
  for (const [at, terms] of texts.entries()) index.set(at, terms);
  const pairs: Pair[] = [];
  for (const b of index.ids()) {
    const [first] = index.sameAs(b);
    const isRepeated = first !== undefined && first !== b;
    for (const { ids, similarity, shared } of index.similarTo(b, threshold, (a) => !isRepeated && a < b)) {
      const [a] = ids;
      if (a === undefined || a >= b) continue;
      if (pairs.length >= MAX_PAIRS) return { pairs: sorted(pairs), isCut: true };
      pairs.push({ a, b, similarity, shared });
    }
  }
  return { pairs: sorted(pairs), isCut: false };
}

const sorted = (pairs: readonly Pair[]): readonly Pair[] =>
  [...pairs].sort((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b);
