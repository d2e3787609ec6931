/** What a computation reads of a workspace, observed while it runs, so that its result stands while none of it changes. */

/** The kinds of things that can be read, one bit each. `stampsOf` in `analysis/` lists their stamps in this order. */
export const HEAD = 1;
export const BODY = 2;
export const SUMMARY = 4;
export const GRAPH = 8;
export const CATALOGS = 16;
export const NEIGHBOURS = 32;
export const FACTS = 64;

/** One for an analysis and the files in it. */
export class Reads {
  #bits = 0;

  note(bits: number): void {
    this.#bits |= bits;
  }

  /** Runs a computation to its end and gives the kinds that it reads; a computation around it has read them, too. */
  observe<Value>(compute: () => Value): { readonly value: Value; readonly reads: number } {
    const before = this.#bits;
    this.#bits = 0;
    try {
      return { value: compute(), reads: this.#bits };
    } finally {
      this.#bits |= before;
    }
  }
}
