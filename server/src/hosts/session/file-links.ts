/** Where files that are links lead, so that news of a target reaches the link. */
export class FileLinks {
  readonly #targets = new Map<string, string>();

  set(uri: string, target: string | undefined): void {
    if (target === undefined) this.#targets.delete(uri);
    else this.#targets.set(uri, target);
  }

  has(uri: string): boolean {
    return this.#targets.has(uri);
  }

  /** The links that lead to one of the files. */
  to(uris: readonly string[]): readonly string[] {
    if (this.#targets.size === 0) return [];
    const wanted = new Set(uris);
    return [...this.#targets].flatMap(([link, target]) => (wanted.has(target) ? [link] : []));
  }
}
