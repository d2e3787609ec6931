/** Pairs of skills with nearly the same description (docs/registry.md, "Overlap"). */
import { OverlapIndex } from '../matching/overlap-index.ts';
import type { Term } from '../matching/words.ts';

export interface Pair {
  /** Indices into the given list; `a` is less than `b`. */
  readonly a: number;
  readonly b: number;
  /** The cosine, 0 to 1. */
  readonly similarity: number;
  /** The shared words, the heaviest first. */
  readonly shared: readonly string[];
}

/** The maximum number of pairs, because a longer result would not be useful. */
const MAX_PAIRS = 10_000;

export interface Overlaps {
  /** The most similar pairs first. */
  readonly pairs: readonly Pair[];
  /** True if the search stopped at the limit. */
  readonly isCut: boolean;
}

/**
 * Returns the pairs with a similarity of at least `threshold` (above 0). Each item of `texts` is the list of the terms
 * in one description, in order. A description that repeats an earlier description is compared only with that
 * description.
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

// Finds pairs of skills by embeddings that another program computed (docs/registry.md, "Overlap").

/** The number of planes. Vectors that are on different sides of many planes are not similar. */
const PLANES = 128;
const WORDS = PLANES / 32;

/** The tolerance for the number of planes that separate two similar vectors, in standard deviations above the mean. */
const ALLOWANCE = 5;

/**
 * Returns the pairs of vectors with a cosine of at least `threshold`. All vectors must have the same length and must
 * not be zero. Compares only vectors that are on the same side of nearly as many planes as similar vectors.
 */
export function similarVectors(vectors: readonly Float64Array[], threshold: number): Overlaps {
  const units = vectors.map(unitOf);
  const sides = units.map(sidesOf);
  const expected = Math.acos(threshold) / Math.PI;
  const limit = PLANES * expected + ALLOWANCE * Math.sqrt(PLANES * expected * (1 - expected));
  const pairs: Pair[] = [];
  for (let b = 0; b < units.length; b++) {
    for (let a = 0; a < b; a++) {
      if (differing(sides[a] as Uint32Array, sides[b] as Uint32Array) > limit) continue;
      const similarity = dot(units[a] as Float64Array, units[b] as Float64Array);
      if (similarity < threshold) continue;
      if (pairs.length >= MAX_PAIRS) return { pairs: sorted(pairs), isCut: true };
      pairs.push({ a, b, similarity: Math.min(1, similarity), shared: [] });
    }
  }
  return { pairs: sorted(pairs), isCut: false };
}

function unitOf(vector: Float64Array): Float64Array {
  // The squares of very large and very small numbers are not finite, or 0. A division by a denormal number may overflow.
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = largest < 1 ? 2 ** 1000 : 1;
  const scaled = vector.map((value) => (value * scale) / (largest * scale));
  const length = Math.sqrt(dot(scaled, scaled));
  return scaled.map((value) => value / length);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

function sidesOf(vector: Float64Array): Uint32Array {
  const sides = new Uint32Array(WORDS);
  for (let plane = 0; plane < PLANES; plane++) {
    let sum = 0;
    for (let at = 0; at < vector.length; at++) sum += signOf(plane, at) * (vector[at] as number);
    if (sum > 0) sides[plane >>> 5] = (sides[plane >>> 5] as number) | (1 << (plane & 31));
  }
  return sides;
}

/** Computes the sign of a plane's coordinate from a hash, so that the planes are the same on every machine. */
function signOf(plane: number, at: number): 1 | -1 {
  let hash = Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(plane + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) & 1 ? 1 : -1;
}

function differing(a: Uint32Array, b: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < WORDS; at++) count += bitsIn((a[at] as number) ^ (b[at] as number));
  return count;
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
