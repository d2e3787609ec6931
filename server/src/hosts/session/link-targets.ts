/** Which files each file links to, so that news of a target reaches those who link to it. */
export class LinkTargets {
  readonly #targets = new Map<string, readonly string[]>();

  set(uri: string, targets: readonly string[]): void {
    if (targets.length > 0) this.#targets.set(uri, targets);
    else this.#targets.delete(uri);
  }

  /** All files that somebody links to. */
  all(): ReadonlySet<string> {
    return new Set([...this.#targets.values()].flat());
  }

  /** The files that link to one of the targets. */
  usersOf(targets: ReadonlySet<string>): readonly string[] {
    if (targets.size === 0) return [];
    return [...this.#targets].flatMap(([uri, own]) => (own.some((target) => targets.has(target)) ? [uri] : []));
  }
}
