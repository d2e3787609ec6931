/**
 * An index of similar strings (docs/registry.md, "Overlap"). The time to add or remove a string depends only on its
 * words.
 */
import type { Term } from './words.ts';

/** The similarity from which two descriptions count as overlapping. */
export const OVERLAP_THRESHOLD = 0.5;

/**
 * The tolerance for comparing similarities. The similarity of two strings differs slightly if the strings are swapped,
 * because the same fractions are summed in another order.
 */
const SLACK = 1e-9;

/** Rounds a similarity down to two digits, so that the displayed value is never too high. */
export const shownSimilarity = (similarity: number): number => Math.floor(similarity * 100 + SLACK) / 100;

/**
 * The look-up ends when the length of the remaining features is below this fraction of the threshold. Looking up more
 * features leaves fewer strings to compare, but the last features occur in many strings.
 */
const LOOKED_UP = 0.8;

/** The maximum number of words in a string that are compared. */
const MAX_TERMS = 1_000;

/** The maximum number of shared words in a result. */
const MAX_SHARED = 8;

export interface Similar<Id> {
  /** The IDs of this string, in the order in which they were added. */
  readonly ids: readonly Id[];
  /** The cosine, 0 to 1. */
  readonly similarity: number;
  /** The shared words, as written in the requested string, in descending order of weight. */
  readonly shared: readonly string[];
}

/** A string, stored once for all IDs that have it. */
interface Text<Id> {
  readonly key: string;
  /** The damped (logarithmic) frequency of each word and each pair of neighbouring words. */
  readonly counts: ReadonlyMap<Feature<Id>, number>;
  readonly terms: readonly Term[];
  /** The words by their keys. Created on first use. */
  written?: ReadonlyMap<string, string>;
  readonly ids: Set<Id>;
  /** The length of the string's vector, with the revision in which it was computed. */
  length: { readonly revision: number; readonly value: number };
  /** A part of the cosine, with the number of the look-up that computes it. */
  sum: { lookUp: number; value: number };
}

/** A word, or a pair of neighbouring words. */
interface Feature<Id> {
  readonly name: string;
  /** The number of IDs whose string contains the feature. */
  count: number;
  /** The damped frequency in each string. */
  readonly texts: Map<Text<Id>, number>;
  /** The weight, with the revision in which it was computed. */
  rarity: { readonly revision: number; readonly value: number };
}

interface Weighted<Id> {
  readonly feature: Feature<Id>;
  readonly rarity: number;
  readonly weight: number;
}

/**
 * Computes the cosine similarity of strings. The weight of a feature (a word or a pair of words) depends on how rare
 * the feature is among all strings.
 */
export class OverlapIndex<Id> {
  readonly #texts = new Map<string, Text<Id>>();
  readonly #byId = new Map<Id, Text<Id>>();
  readonly #features = new Map<string, Feature<Id>>();
  /** Increases when a weight may have changed. */
  #revision = 0;
  /** The number of calls of `similarTo`. */
  #lookUps = 0;
  /** The number of strings that were compared in all calls of `similarTo`. */
  #compared = 0;

  get size(): number {
    return this.#byId.size;
  }

  get compared(): number {
    return this.#compared;
  }

  ids(): Iterable<Id> {
    return this.#byId.keys();
  }

  /** Adds or replaces the string of an ID. If `terms` is undefined or empty, removes the ID. */
  set(id: Id, terms: readonly Term[] | undefined): void {
    const before = this.#byId.get(id);
    const first = terms?.slice(0, MAX_TERMS) ?? [];
    const key = first.map((term) => term.key).join(' ');
    if ((before?.key ?? '') === key) return;
    this.#revision++;
    if (before) this.#leave(id, before);
    if (first.length > 0) this.#enter(id, this.#texts.get(key) ?? this.#textOf(key, first));
  }

  #textOf(key: string, terms: readonly Term[]): Text<Id> {
    const counts = new Map<Feature<Id>, number>();
    const add = (name: string): void => {
      const feature = this.#featureOf(name);
      counts.set(feature, (counts.get(feature) ?? 0) + 1);
    };
    for (const [at, term] of terms.entries()) {
      add(term.key);
      const next = terms[at + 1];
      if (next) add(`${term.key} ${next.key}`);
    }
    counts.forEach((times, feature) => void counts.set(feature, 1 + Math.log(times)));
    return { key, counts, terms, ids: new Set(), length: { revision: -1, value: 0 }, sum: { lookUp: 0, value: 0 } };
  }

  /** Returns the feature with a name. Adds it if no string has it. */
  #featureOf(name: string): Feature<Id> {
    const known = this.#features.get(name);
    if (known) return known;
    const feature: Feature<Id> = { name, count: 0, texts: new Map(), rarity: { revision: -1, value: 0 } };
    this.#features.set(name, feature);
    return feature;
  }

  #enter(id: Id, text: Text<Id>): void {
    text.ids.add(id);
    this.#byId.set(id, text);
    this.#texts.set(text.key, text);
    text.counts.forEach((count, feature) => {
      feature.count++;
      feature.texts.set(text, count);
    });
  }

  #leave(id: Id, text: Text<Id>): void {
    text.ids.delete(id);
    this.#byId.delete(id);
    if (text.ids.size === 0) this.#texts.delete(text.key);
    for (const feature of text.counts.keys()) {
      feature.count--;
      if (text.ids.size === 0) feature.texts.delete(text);
      if (feature.count === 0) this.#features.delete(feature.name);
    }
  }

  /** Returns the IDs that have the same string as `id`, including `id`, in the order in which they were added. */
  sameAs(id: Id): readonly Id[] {
    return [...(this.#byId.get(id)?.ids ?? [])];
  }

  /**
   * Returns the strings whose cosine with the string of `id` is at least `threshold` (above 0), the most similar first.
   * Includes the string of `id` itself if other IDs have an equal string. `isAsked` selects strings by their first ID.
   */
  similarTo(id: Id, threshold: number, isAsked: (first: Id) => boolean = () => true): readonly Similar<Id>[] {
    const own = this.#byId.get(id);
    if (!own) return [];
    const vector = this.#vectorOf(own);
    let weights: ReadonlyMap<Feature<Id>, Weighted<Id>> | undefined;
    const found: Similar<Id>[] = [];
    const same = [...own.ids].filter((other) => other !== id);
    if (same.length > 0) found.push({ ids: same, similarity: 1, shared: sharedWords(own, own, vector) });
    for (const text of this.#candidates(vector, threshold)) {
      const [first] = text.ids;
      if (text === own || first === undefined || !isAsked(first)) continue;
      this.#compared++;
      weights ??= new Map(vector.map((one) => [one.feature, one]));
      const similarity = this.#cosine(text, weights);
      if (similarity + SLACK < threshold) continue;
      found.push({ ids: [...text.ids], similarity, shared: sharedWords(own, text, vector) });
    }
    return found.sort((x, y) => y.similarity - x.similarity);
  }

  /**
   * Returns the strings that may reach the threshold. Looks up only the heaviest features, because the contribution of
   * the other features is bounded.
   */
  #candidates(vector: readonly Weighted<Id>[], threshold: number): readonly Text<Id>[] {
    const { end, rest } = leadingOf(vector, threshold * LOOKED_UP);
    const lookUp = ++this.#lookUps;
    const found: Text<Id>[] = [];
    for (const { feature, rarity, weight } of vector.slice(0, end)) {
      feature.texts.forEach((count, text) => {
        const { sum } = text;
        if (sum.lookUp !== lookUp) {
          found.push(text);
          sum.lookUp = lookUp;
          sum.value = 0;
        }
        sum.value += weight * rarity * count;
      });
    }
    return found.filter((text) => text.sum.value / this.#lengthOf(text) + rest + SLACK >= threshold);
  }

  /** Returns the features as a vector of length 1, in descending order of weight. */
  #vectorOf(text: Text<Id>): readonly Weighted<Id>[] {
    const length = this.#lengthOf(text);
    return [...text.counts]
      .map(([feature, count]) => {
        const rarity = this.#rarityOf(feature);
        return { feature, rarity, weight: (count * rarity) / length };
      })
      .sort((x, y) => y.weight - x.weight || (x.feature.name < y.feature.name ? -1 : 1));
  }

  #rarityOf(feature: Feature<Id>): number {
    if (feature.rarity.revision !== this.#revision) {
      feature.rarity = { revision: this.#revision, value: Math.log(1 + this.size / feature.count) };
    }
    return feature.rarity.value;
  }

  #lengthOf(text: Text<Id>): number {
    if (text.length.revision !== this.#revision) {
      let sum = 0;
      text.counts.forEach((count, feature) => {
        sum += (count * this.#rarityOf(feature)) ** 2;
      });
      text.length = { revision: this.#revision, value: Math.sqrt(sum) };
    }
    return text.length.value;
  }

  #cosine(text: Text<Id>, weights: ReadonlyMap<Feature<Id>, Weighted<Id>>): number {
    let sum = 0;
    text.counts.forEach((count, feature) => {
      const own = weights.get(feature);
      if (own) sum += own.weight * count * own.rarity;
    });
    // Rounding errors may make the sum slightly larger than 1.
    return Math.min(1, sum / this.#lengthOf(text));
  }
}

/**
 * Returns the first index at which the length of the remaining features (`rest`) is below `length`, and this `rest`.
 */
function leadingOf<Id>(
  vector: readonly Weighted<Id>[],
  length: number,
): { readonly end: number; readonly rest: number } {
  let left = 1;
  for (const [end, { weight }] of vector.entries()) {
    const rest = Math.sqrt(Math.max(0, left));
    if (rest < length) return { end, rest };
    left -= weight * weight;
  }
  return { end: vector.length, rest: 0 };
}

function sharedWords<Id>(own: Text<Id>, other: Text<Id>, vector: readonly Weighted<Id>[]): readonly string[] {
  own.written ??= new Map(own.terms.map(({ key, text }) => [key, text]));
  const { written } = own;
  return vector
    .flatMap(({ feature }) => (other.counts.has(feature) ? (written.get(feature.name) ?? []) : []))
    .slice(0, MAX_SHARED);
}
