/** Whose declared samples are to be composed again: what fails becomes a fact of the index. */
import { dependentsOf } from '../../workspace/parts-and-composers.ts';
import type { Index } from '../../workspace/workspace-index.ts';

export class SampleQueue {
  readonly #waiting = new Set<string>();
  /** Files with a new text: the samples of those who compose them depend on it, whatever their summaries say. */
  readonly #edited = new Set<string>();
  /** The file whose samples are being composed. */
  composing: string | undefined;
  /** True where no sample can be composed in this session. */
  isRefused = false;

  /** These files changed, or something that their compositions depend on. */
  add({ files, facts }: Index, uris: Iterable<string>): void {
    for (const uri of uris) {
      if (files.get(uri)?.hasSamples || facts.sampleFailures.has(uri)) this.#waiting.add(uri);
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
    if (this.isRefused || this.composing !== undefined) return undefined;
    for (const uri of this.#waiting) if (isOpen(uri)) return uri;
    const [first] = wantsClosed ? this.#waiting : [];
    return first;
  }

  begin(uri: string): void {
    this.#waiting.delete(uri);
    this.composing = uri;
  }
}
