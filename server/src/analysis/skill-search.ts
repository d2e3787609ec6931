/** The search index of a workspace: made when somebody first asks, and from then on brought up to date by what was edited. */
import { type Findable, SearchIndex } from '../matching/search-index.ts';
import { nameFromUri } from '../vocabulary/dialect.ts';
import type { Index } from '../workspace/workspace-index.ts';

export class SkillSearch {
  #search: SearchIndex | undefined;
  /** The files whose words may have changed since. */
  readonly #edited = new Set<string>();
  #revision = 0;

  /** Says that a file came, changed or went. */
  note(uri: string): void {
    if (this.#search) this.#edited.add(uri);
  }

  of(index: Index): SearchIndex {
    // An index of before is asked for by nobody who waits for its answer.
    if (this.#search && index.headRevision < this.#revision) return searchOf(index);
    this.#revision = index.headRevision;
    if (this.#search) for (const uri of this.#edited) bring(this.#search, index, uri);
    this.#edited.clear();
    this.#search ??= searchOf(index);
    return this.#search;
  }
}

function searchOf(index: Index): SearchIndex {
  const search = new SearchIndex();
  for (const uri of index.graph.skills.keys()) bring(search, index, uri);
  return search;
}

function bring(search: SearchIndex, index: Index, uri: string): void {
  const known = search.get(uri);
  const now = findable(index, uri);
  if (known?.words === now?.words && known?.name === now?.name && known?.version === now?.version) return;
  search.set(uri, now);
}

function findable({ graph, files }: Index, uri: string): Findable | undefined {
  const summary = graph.skills.get(uri)?.summary;
  const words = files.get(uri)?.words;
  return summary && words && { name: summary.name ?? nameFromUri(uri), version: summary.version, words };
}
