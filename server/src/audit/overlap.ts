/** Pairs of skills that say nearly the same (docs/registry.md, "Overlap"). */
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

/** Words weigh by how rare they are among all texts, and each text has the length 1. */
type Vector = readonly { readonly feature: string; readonly weight: number }[];

const MAX_SHARED = 8;

/** Where so much is alike, more pairs help nobody. */
const MAX_PAIRS = 10_000;

export interface Overlaps {
  /** From the most similar down. */
  readonly pairs: readonly Pair[];
  /** There are more pairs than were looked for. */
  readonly isCut: boolean;
}

/**
 * The pairs whose words, and pairs of words that follow each other, have a cosine of at least `threshold` (above 0).
 * Each text is the list of its words in their order. A text that another repeats is compared with that one alone.
 */
export function overlaps(texts: readonly (readonly Term[])[], threshold: number): Overlaps {
  const vectors = vectorsOf(texts);
  const firsts = new Map<string, number>();
  // Of each text only its heaviest features are looked up: the others alone cannot reach the threshold.
  const known = new Map<string, number[]>();
  const pairs: Pair[] = [];
  for (const [b, vector] of vectors.entries()) {
    if (vector.length === 0) continue;
    const text = texts[b]?.map(({ key }) => key).join(' ') ?? '';
    const first = firsts.get(text);
    const candidates =
      first === undefined ? new Set(vector.flatMap(({ feature }) => known.get(feature) ?? [])) : [first];
    const weights = new Map(vector.map(({ feature, weight }) => [feature, weight]));
    for (const a of candidates) {
      if (pairs.length >= MAX_PAIRS) return { pairs: sorted(pairs), isCut: true };
      const other = vectors[a] ?? [];
      const similarity = first === undefined ? cosine(other, weights) : 1;
      if (similarity >= threshold)
        pairs.push({ a, b, similarity, shared: sharedWords(texts[a] ?? [], other, weights) });
    }
    if (first !== undefined) continue;
    firsts.set(text, b);
    for (const { feature } of leading(vector, threshold)) {
      const list = known.get(feature);
      if (list) list.push(b);
      else known.set(feature, [b]);
    }
  }
  return { pairs: sorted(pairs), isCut: false };
}

const sorted = (pairs: readonly Pair[]): readonly Pair[] =>
  [...pairs].sort((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b);

function vectorsOf(texts: readonly (readonly Term[])[]): readonly Vector[] {
  const counted = texts.map(countFeatures);
  const textsWith = new Map<string, number>();
  for (const counts of counted) {
    for (const feature of counts.keys()) textsWith.set(feature, (textsWith.get(feature) ?? 0) + 1);
  }
  const rarity = (feature: string): number => Math.log(1 + texts.length / (textsWith.get(feature) ?? 1));
  return counted.map((counts) => {
    const weighted = [...counts].map(([feature, count]) => ({
      feature,
      weight: (1 + Math.log(count)) * rarity(feature),
    }));
    const length = Math.hypot(...weighted.map(({ weight }) => weight));
    return weighted
      .map(({ feature, weight }) => ({ feature, weight: weight / length }))
      .sort((x, y) => y.weight - x.weight || (x.feature < y.feature ? -1 : 1));
  });
}

/** How often each word and each pair of neighbours occurs. */
function countFeatures(words: readonly Term[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (feature: string): void => void counts.set(feature, (counts.get(feature) ?? 0) + 1);
  for (const [at, { key }] of words.entries()) {
    add(key);
    const next = words[at + 1];
    if (next) add(`${key} ${next.key}`);
  }
  return counts;
}

/** The features from the heaviest on, until those that are left are shorter than the threshold. */
function leading(vector: Vector, threshold: number): Vector {
  let left = 1;
  const end = vector.findIndex(({ weight }) => {
    if (Math.sqrt(Math.max(0, left)) < threshold) return true;
    left -= weight * weight;
    return false;
  });
  return end < 0 ? vector : vector.slice(0, end);
}

function cosine(vector: Vector, weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const { feature, weight } of vector) sum += weight * (weights.get(feature) ?? 0);
  // Sums of fractions may come out a little above.
  return Math.min(1, sum);
}

/** As the text has them, the heaviest first. */
function sharedWords(text: readonly Term[], vector: Vector, weights: ReadonlyMap<string, number>): readonly string[] {
  const written = new Map(text.map(({ key, text: word }) => [key, word]));
  return vector
    .flatMap(({ feature }) => (weights.has(feature) ? (written.get(feature) ?? []) : []))
    .slice(0, MAX_SHARED);
}
