/** Queues of files to check: open files before closed files, and composed skills before their composites. */

import { callNamesOf, dependentsOf } from '../../workspace/composition-lookups.ts';
import { partsFirst } from '../../workspace/order.ts';
import type { ResolvedGraph } from '../../workspace/resolved-graph.ts';
import type { Index } from '../../workspace/workspace-index.ts';
import type { SamplesOfFile } from './messages.ts';

export class CheckQueue {
  readonly #waiting = new Set<string>();
  /** The order of the closed files, computed when the first closed file is checked. */
  #order: Iterator<string> | undefined;
  #since: number | undefined;

  /** The time when the first of the waiting files that are not yet in the order was added. */
  get since(): number | undefined {
    return this.#since;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  has(uri: string): boolean {
    return this.#waiting.has(uri);
  }

  add(uris: Iterable<string>, now: number): void {
    for (const uri of uris) {
      this.#waiting.add(uri);
      this.#since ??= now;
    }
  }

  remove(uri: string): void {
    this.#waiting.delete(uri);
    if (this.#waiting.size === 0) this.#order = this.#since = undefined;
  }

  /** Returns the first of these files that is waiting. */
  firstOf(uris: Iterable<string>): string | undefined {
    if (this.#waiting.size === 0) return undefined;
    for (const uri of uris) if (this.#waiting.has(uri)) return uri;
    return undefined;
  }

  /** True if the check of closed files has started, so that the remaining files follow without another delay. */
  get isUnderWay(): boolean {
    return this.#order !== undefined && this.#waiting.size > 0;
  }

  /**
   * Returns the next waiting file; undefined at the end of the order. Files that were added in the meantime wait for
   * the next order.
   */
  next(graph: ResolvedGraph): string | undefined {
    if (this.#waiting.size === 0) return undefined;
    if (this.#order === undefined) this.#since = undefined;
    this.#order ??= partsFirst(graph, this.#waiting)[Symbol.iterator]();
    for (let next = this.#order.next(); !next.done; next = this.#order.next()) {
      if (this.#waiting.has(next.value)) return next.value;
    }
    this.#order = undefined;
    return undefined;
  }
}

/** The number of failed starts after which the worker is not started again on its own. */
const MAX_FAILURES = 3;

/** The files that compose one of the edited files, directly or indirectly. */
interface Composers extends Pick<Index, 'graph' | 'headRevision'> {
  /** The URIs of the edited files. */
  readonly edited: string;
  readonly all: ReadonlySet<string>;
  readonly withSamples: readonly string[];
}

/** The queue of files whose samples must be composed again. The failures of the samples become facts in the index. */
export class SampleQueue {
  readonly #waiting = new Set<string>();
  /** Files with new text. A composite's samples depend on this text, even if the file's summary is unchanged. */
  readonly #edited = new Set<string>();
  #composers: Composers | undefined;
  /** The file whose samples are being composed, with its text. */
  #composing: { readonly uri: string; readonly text: string } | undefined;
  /** The text of each file with a sample that was stopped. */
  readonly #stopped = new Map<string, string>();
  /** The number of times that the worker could not be started since samples were last composed. */
  #failures = 0;
  /** True after the worker could not be started, until a file changes. */
  #isPaused = false;

  /**
   * Adds files that changed, or whose compositions may differ. A file with a stopped sample is added only if its text
   * has changed.
   */
  add({ files, facts }: Index, uris: Iterable<string>): void {
    for (const uri of uris) {
      const file = files.get(uri);
      if (file && this.#stopped.get(uri) === file.text) continue;
      this.#stopped.delete(uri);
      if (!file?.hasSamples && !facts.sampleFailures.has(uri)) continue;
      this.#waiting.add(uri);
      this.#goOn();
    }
  }

  edited(uri: string): void {
    this.#edited.add(uri);
    this.#goOn();
  }

  #goOn(): void {
    this.#isPaused = this.#failures >= MAX_FAILURES;
  }

  /** Adds and returns the files that compose an edited file, directly or indirectly. Clears the edited files. */
  addComposers(index: Index): ReadonlySet<string> {
    const { all, withSamples } = this.#composersOf(index);
    this.#edited.clear();
    this.add(index, withSamples);
    return all;
  }

  /** Finds composers only after edits that may change them, or the files with samples: a body has neither. */
  #composersOf({ graph, headRevision, files, facts }: Index): Composers {
    const edited = [...this.#edited].sort().join(' ');
    const known = this.#composers;
    if (known?.graph === graph && known.headRevision === headRevision && known.edited === edited) return known;
    const names = [...this.#edited].flatMap((uri) => {
      const summary = graph.skills.get(uri)?.summary;
      return summary ? callNamesOf(summary) : [];
    });
    const all = new Set([...dependentsOf(graph, names)].filter((uri) => !this.#edited.has(uri)));
    const withSamples = [...all].filter((uri) => files.get(uri)?.hasSamples || facts.sampleFailures.has(uri));
    this.#composers = { graph, headRevision, edited, all, withSamples };
    return this.#composers;
  }

  has(uri: string): boolean {
    return this.#waiting.has(uri);
  }

  /** Returns the next file: an open file, or else a closed file if `wantsClosed` is set. */
  next(isOpen: (uri: string) => boolean, wantsClosed: boolean): string | undefined {
    if (this.#isPaused || this.#composing !== undefined) return undefined;
    for (const uri of this.#waiting) if (isOpen(uri)) return uri;
    const [first] = wantsClosed ? this.#waiting : [];
    return first;
  }

  begin(uri: string, { files }: Index): void {
    this.#waiting.delete(uri);
    this.#composing = { uri, text: files.get(uri)?.text ?? '' };
  }

  /**
   * Stops composing until the next change, because the worker could not be started. Returns true if this has happened
   * too often, so that only `retry` starts it again.
   */
  fail(): boolean {
    if (this.#composing) this.#waiting.add(this.#composing.uri);
    this.#composing = undefined;
    this.#isPaused = true;
    return ++this.#failures === MAX_FAILURES;
  }

  retry(): void {
    this.#failures = 0;
    this.#isPaused = false;
  }

  end(composed: SamplesOfFile | undefined): void {
    if (composed) this.#failures = 0;
    if (composed?.isStopped && this.#composing) this.#stopped.set(this.#composing.uri, this.#composing.text);
    this.#composing = undefined;
  }
}
