/** Texts that say nearly the same (docs/registry.md, "Overlap"); one is taken in or out in the time of its own words. */
import type { Term } from './words.ts';

/** From this similarity on two descriptions say nearly the same. */
export const OVERLAP_THRESHOLD = 0.5;

/** Fractions are summed in an order that differs between the two sides of a pair. */
const SLACK = 1e-9;

/** Two digits tell similarities apart; none is shown above what it is. */
export const shownSimilarity = (similarity: number): number => Math.floor(similarity * 100 + SLACK) / 100;

/**
 * Features are looked up until the others are shorter than this part of the threshold: more of them leave fewer texts to
 * compare, and the last ones are in many texts.
 */
const LOOKED_UP = 0.8;

/** More words of a text are not compared. */
const MAX_TERMS = 1_000;

const MAX_SHARED = 8;

export interface Similar<Id> {
  /** Those who have this text, in the order in which they came. */
  readonly ids: readonly Id[];
  /** The cosine, 0 to 1. */
  readonly similarity: number;
  /** Words that both have, as the text that was asked about has them, the most telling first. */
  readonly shared: readonly string[];
}

/** A text, kept once for all who have it. */
interface Text<Id> {
  readonly key: string;
  /** How often each word and each pair of neighbours occurs. */
  readonly counts: ReadonlyMap<string, number>;
  readonly written: ReadonlyMap<string, string>;
  readonly ids: Set<Id>;
  /** The length of its vector, in the revision in which it was last asked for. */
  length: { readonly revision: number; readonly value: number };
}

interface Feature<Id> {
  /** How many have it. */
  count: number;
  /** How often each text has it, as it counts. */
  readonly texts: Map<Text<Id>, number>;
}

interface Weighted {
  readonly feature: string;
  readonly rarity: number;
  readonly weight: number;
}

/** A feature weighs by how rare it is among all texts, and the cosine is that of the weights of two texts. */
export class OverlapIndex<Id> {
  readonly #texts = new Map<string, Text<Id>>();
  readonly #byId = new Map<Id, Text<Id>>();
  readonly #features = new Map<string, Feature<Id>>();
  /** Grows where a weight may have changed. */
  #revision = 0;
  /** How many texts have been compared. */
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

  /** Takes a text in, in place of the one before; undefined, or a text without words, takes it out. */
  set(id: Id, terms: readonly Term[] | undefined): void {
    const before = this.#byId.get(id);
    const first = terms?.slice(0, MAX_TERMS) ?? [];
    const key = first.map((term) => term.key).join(' ');
    if ((before?.key ?? '') === key) return;
    this.#revision++;
    if (before) this.#leave(id, before);
    if (first.length > 0) this.#enter(id, this.#texts.get(key) ?? textOf(key, first));
  }

  #enter(id: Id, text: Text<Id>): void {
    text.ids.add(id);
    this.#byId.set(id, text);
    this.#texts.set(text.key, text);
    for (const [name, count] of text.counts) {
      const feature = this.#features.get(name) ?? { count: 0, texts: new Map() };
      feature.count++;
      feature.texts.set(text, count);
      this.#features.set(name, feature);
    }
  }

  #leave(id: Id, text: Text<Id>): void {
    text.ids.delete(id);
    this.#byId.delete(id);
    if (text.ids.size === 0) this.#texts.delete(text.key);
    for (const name of text.counts.keys()) {
      const feature = this.#features.get(name);
      if (!feature) continue;
      feature.count--;
      if (text.ids.size === 0) feature.texts.delete(text);
      if (feature.count === 0) this.#features.delete(name);
    }
  }

  /** All who have the same text as one, itself among them, in the order in which they came. */
  sameAs(id: Id): readonly Id[] {
    return [...(this.#byId.get(id)?.ids ?? [])];
  }

  /**
   * The other texts that have a cosine of at least `threshold` (above 0) with that of `id`, the most similar first; its
   * own is among them where others have it, too. `isAsked` chooses by the first who has a text.
   */
  similarTo(id: Id, threshold: number, isAsked: (first: Id) => boolean = () => true): readonly Similar<Id>[] {
    const own = this.#byId.get(id);
    if (!own) return [];
    const vector = this.#vectorOf(own);
    const weights = new Map(vector.map((one) => [one.feature, one]));
    const found: Similar<Id>[] = [];
    const same = [...own.ids].filter((other) => other !== id);
    if (same.length > 0) found.push({ ids: same, similarity: 1, shared: sharedWords(own, own, vector) });
    for (const text of this.#candidates(vector, threshold)) {
      const [first] = text.ids;
      if (text === own || first === undefined || !isAsked(first)) continue;
      this.#compared++;
      const similarity = this.#cosine(text, weights);
      if (similarity + SLACK < threshold) continue;
      found.push({ ids: [...text.ids], similarity, shared: sharedWords(own, text, vector) });
    }
    return found.sort((x, y) => y.similarity - x.similarity);
  }

  /** The texts that may reach the threshold, found by the heaviest features alone: what the others can add is bounded. */
  #candidates(vector: readonly Weighted[], threshold: number): readonly Text<Id>[] {
    const { end, rest } = leadingOf(vector, threshold * LOOKED_UP);
    const sums = new Map<Text<Id>, number>();
    for (const { feature, rarity, weight } of vector.slice(0, end)) {
      for (const [text, count] of this.#features.get(feature)?.texts ?? []) {
        sums.set(text, (sums.get(text) ?? 0) + weight * rarity * count);
      }
    }
    const candidates: Text<Id>[] = [];
    for (const [text, sum] of sums) {
      if (sum / this.#lengthOf(text) + rest + SLACK >= threshold) candidates.push(text);
    }
    return candidates;
  }

  /** The heaviest feature first; its length is 1. */
  #vectorOf(text: Text<Id>): readonly Weighted[] {
    const length = this.#lengthOf(text);
    return [...text.counts]
      .map(([feature, count]) => {
        const rarity = this.#rarityOf(feature);
        return { feature, rarity, weight: (count * rarity) / length };
      })
      .sort((x, y) => y.weight - x.weight || (x.feature < y.feature ? -1 : 1));
  }

  #rarityOf(feature: string): number {
    return Math.log(1 + this.size / (this.#features.get(feature)?.count ?? 1));
  }

  #lengthOf(text: Text<Id>): number {
    if (text.length.revision !== this.#revision) {
      let sum = 0;
      for (const [feature, count] of text.counts) sum += (count * this.#rarityOf(feature)) ** 2;
      text.length = { revision: this.#revision, value: Math.sqrt(sum) };
    }
    return text.length.value;
  }

  #cosine(text: Text<Id>, weights: ReadonlyMap<string, Weighted>): number {
    let sum = 0;
    for (const [feature, count] of text.counts) {
      const own = weights.get(feature);
      if (own) sum += own.weight * count * own.rarity;
    }
    // Sums of fractions may come out a little above.
    return Math.min(1, sum / this.#lengthOf(text));
  }
}

function textOf<Id>(key: string, terms: readonly Term[]): Text<Id> {
  const occurrences = new Map<string, number>();
  const add = (feature: string): void => void occurrences.set(feature, (occurrences.get(feature) ?? 0) + 1);
  for (const [at, term] of terms.entries()) {
    add(term.key);
    const next = terms[at + 1];
    if (next) add(`${term.key} ${next.key}`);
  }
  return {
    key,
    counts: new Map([...occurrences].map(([feature, times]) => [feature, 1 + Math.log(times)])),
    written: new Map(terms.map((term) => [term.key, term.text])),
    ids: new Set(),
    length: { revision: -1, value: 0 },
  };
}

/** Where those features begin that are together shorter than `length`, and how long they are. */
function leadingOf(vector: readonly Weighted[], length: number): { readonly end: number; readonly rest: number } {
  let left = 1;
  for (const [end, { weight }] of vector.entries()) {
    const rest = Math.sqrt(Math.max(0, left));
    if (rest < length) return { end, rest };
    left -= weight * weight;
  }
  return { end: vector.length, rest: 0 };
}

function sharedWords<Id>(own: Text<Id>, other: Text<Id>, vector: readonly Weighted[]): readonly string[] {
  return vector
    .flatMap(({ feature }) => (other.counts.has(feature) ? (own.written.get(feature) ?? []) : []))
    .slice(0, MAX_SHARED);
}
