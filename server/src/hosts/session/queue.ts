/** The files that wait to be checked: open ones first, the others with parts before the skills that compose them. */
import { partsFirst } from '../../workspace/order.ts';
import { dependentsOf } from '../../workspace/parts-and-composers.ts';
import type { ResolvedGraph } from '../../workspace/resolved-graph.ts';
import type { Index } from '../../workspace/workspace-index.ts';

export class CheckQueue {
  readonly #waiting = new Set<string>();
  /** The order of the closed files, made when the first of them has its turn. */
  #order: Iterator<string> | undefined;
  #since: number | undefined;

  /** When the first file came that waits and has no place in the order yet. */
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

  /** The first of these files that waits. */
  firstOf(uris: Iterable<string>): string | undefined {
    if (this.#waiting.size === 0) return undefined;
    for (const uri of uris) if (this.#waiting.has(uri)) return uri;
    return undefined;
  }

  /** Whether closed files have been begun, so that the rest of them follows without a new wait. */
  get isUnderWay(): boolean {
    return this.#order !== undefined && this.#waiting.size > 0;
  }

  /** The next of the files that wait; undefined when none is left but those that came meanwhile, which wait anew. */
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

/** Whose declared samples are to be composed again: what fails becomes a fact of the index. */
export class SampleQueue {
  readonly #waiting = new Set<string>();
  /** Files with a new text: the samples of those who compose them depend on it, whatever their summaries say. */
  readonly #edited = new Set<string>();
  /** The file whose samples are being composed, with its text. */
  #composing: { readonly uri: string; readonly text: string } | undefined;
  /** The texts of files of which a sample had to be stopped. */
  readonly #stopped = new Map<string, string>();
  #isRefused = false;

  /** These files changed, or something that their compositions depend on. What was stopped waits for a new text of its own. */
  add({ files, facts }: Index, uris: Iterable<string>): void {
    for (const uri of uris) {
      const file = files.get(uri);
      if (file && this.#stopped.get(uri) === file.text) continue;
      this.#stopped.delete(uri);
      if (file?.hasSamples || facts.sampleFailures.has(uri)) this.#waiting.add(uri);
    }
  }

  edited(uri: string): void {
    this.#edited.add(uri);
  }

  /** The files that compose an edited one, directly or not; adds them, and forgets the edited ones. */
  addComposers(index: Index): ReadonlySet<string> {
    const names = [...this.#edited].flatMap((uri) => index.graph.skills.get(uri)?.summary.name ?? []);
    const composers = new Set([...dependentsOf(index.graph, names)].filter((uri) => !this.#edited.has(uri)));
    this.#edited.clear();
    this.add(index, composers);
    return composers;
  }

  has(uri: string): boolean {
    return this.#waiting.has(uri);
  }

  /** The next file, an open one first; of the others one that somebody wants to know about. */
  next(isOpen: (uri: string) => boolean, wantsClosed: boolean): string | undefined {
    if (this.#isRefused || this.#composing !== undefined) return undefined;
    for (const uri of this.#waiting) if (isOpen(uri)) return uri;
    const [first] = wantsClosed ? this.#waiting : [];
    return first;
  }

  begin(uri: string, { files }: Index): void {
    this.#waiting.delete(uri);
    this.#composing = { uri, text: files.get(uri)?.text ?? '' };
  }

  /** No sample can be composed in this session. */
  refuse(): void {
    this.#isRefused = true;
    this.#composing = undefined;
  }

  end(isStopped = false): void {
    if (isStopped && this.#composing) this.#stopped.set(this.#composing.uri, this.#composing.text);
    this.#composing = undefined;
  }
}
