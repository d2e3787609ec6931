/** Results that stand while what they were made of does not change. */
import type { Reads } from '../skill/reads.ts';

/** What each kind of reads was when results were made: one value a kind, in the order of the bits. */
export type Stamps = readonly unknown[];

interface Result {
  readonly value: unknown;
  readonly reads: number;
}

interface ResultsOfFile {
  readonly stamps: Stamps;
  readonly results: Map<unknown, Result>;
}

/** Results of more files are made again: only of those that are edited they are asked for again and again. */
const MAX_FILES = 16;

export class ObservedResults {
  readonly #reads: Reads;
  readonly #files = new Map<string, ResultsOfFile>();

  constructor(reads: Reads) {
    this.#reads = reads;
  }

  /** The result of `compute` for a file under a key: the one of before, where nothing has changed that it read. */
  get<Value>(uri: string, stamps: Stamps, key: unknown, compute: () => Value): Value {
    const { results } = this.#current(uri, stamps);
    let result = results.get(key);
    if (result) this.#reads.note(result.reads);
    else {
      result = this.#reads.observe(compute);
      results.set(key, result);
    }
    return result.value as Value;
  }

  /** The results of a file that hold under these stamps. */
  #current(uri: string, stamps: Stamps): ResultsOfFile {
    const before = this.#files.get(uri);
    if (before?.stamps === stamps) return before;
    const changed = before ? changesBetween(before.stamps, stamps) : 0;
    const kept = [...(before?.results ?? [])].filter(([, { reads }]) => (reads & changed) === 0);
    const current = { stamps, results: new Map(kept) };
    this.#files.delete(uri);
    this.#files.set(uri, current);
    const [oldest] = this.#files.size > MAX_FILES ? this.#files.keys() : [];
    if (oldest !== undefined) this.#files.delete(oldest);
    return current;
  }
}

const changesBetween = (before: Stamps, after: Stamps): number =>
  after.reduce((bits: number, stamp, at) => (stamp === before[at] ? bits : bits | (1 << at)), 0);
