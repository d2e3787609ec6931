/** The files that wait to be checked: open ones first, the others with parts before the skills that compose them. */
import { partsFirst } from '../../workspace/parts-first.ts';
import type { ResolvedGraph } from '../../workspace/resolved-graph.ts';

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
