/** Results that stand while what they were made of does not change. */
import type { Reads } from '../skill/reads.ts';
import { type FileEntry, SkillFile } from '../skill/skill-file.ts';

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

// The parsed files of an analysis: those that are open or awaited, and of the others the last that somebody looked
// at.

/** A tree takes a multiple of its text, so of closed files few are kept. */
const MAX_CLOSED = 64;

export class ParsedFiles {
  readonly #reads: Reads;
  readonly #open = new Map<string, SkillFile>();
  /** Those that nobody has asked for since they were read, and somebody will. */
  readonly #awaited = new Map<string, SkillFile>();
  /** In the order in which they were asked for. */
  readonly #closed = new Map<string, SkillFile>();

  constructor(reads: Reads) {
    this.#reads = reads;
  }

  /** The file of this text: the one that is known, or a new one that is parsed when somebody asks it. */
  get(entry: FileEntry): SkillFile {
    const { uri, text } = entry;
    const open = this.#open.get(uri);
    if (open?.hasText(text)) return open;
    const known = this.#awaited.get(uri) ?? this.#closed.get(uri);
    const file = known?.hasText(text) ? known : SkillFile.of(entry, this.#reads);
    this.#awaited.delete(uri);
    this.#closed.delete(uri);
    this.#closed.set(uri, file);
    const [oldest] = this.#closed.size > MAX_CLOSED ? this.#closed.keys() : [];
    if (oldest !== undefined) this.#closed.delete(oldest);
    return file;
  }

  /** The last state of a file that was parsed, whatever the text. */
  last(uri: string): SkillFile | undefined {
    return this.#open.get(uri) ?? this.#awaited.get(uri) ?? this.#closed.get(uri);
  }

  /** Keeps a file for as long as it is open. */
  keepOpen(file: SkillFile): void {
    this.#closed.delete(file.uri);
    this.#open.set(file.uri, file);
  }

  /** Keeps a file until somebody asks for it. */
  keepAwaited(file: SkillFile): void {
    this.#awaited.set(file.uri, file);
  }

  isOpen(file: SkillFile): boolean {
    return this.#open.get(file.uri) === file;
  }

  close(uri: string): void {
    this.#open.delete(uri);
    this.#awaited.delete(uri);
  }
}
