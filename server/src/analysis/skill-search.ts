/** The search index of a workspace: made when somebody first asks, and from then on brought up to date by what was edited. */

import { OVERLAP_THRESHOLD, OverlapIndex } from '../matching/overlap-index.ts';
import { type Findable, SearchIndex } from '../matching/search-index.ts';
import { termsOf } from '../matching/words.ts';
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

// The descriptions of a workspace, to find those that say nearly the same: made when somebody first asks
// (docs/registry.md, "Overlap").

/** Up to so many descriptions, each of them weighs in the figures of all. */
const FEW = 300;

export class SkillOverlap {
  #overlap: OverlapIndex<string> | undefined;
  #revision = 0;

  of(index: Index): OverlapIndex<string> {
    // An index of before is asked for by nobody who waits for its answer.
    if (this.#overlap && index.headRevision < this.#revision) return overlapOf(index);
    this.#overlap ??= overlapOf(index);
    this.#revision = index.headRevision;
    return this.#overlap;
  }

  /** Takes a file that came, changed or went in, where somebody has asked, and says for whom the answer is another one. */
  edited(uri: string, before: Index, after: Index): Iterable<string> {
    const overlap = this.#overlap;
    if (!overlap) return [];
    this.#revision = after.headRevision;
    const isSame = descriptionOf(before, uri) === descriptionOf(after, uri);
    if (isSame && before.graph.skills.get(uri) === after.graph.skills.get(uri)) return [];
    const old = partnersOf(overlap, uri);
    bringOverlap(overlap, after, uri);
    return overlap.size <= FEW ? overlap.ids() : [...old, ...partnersOf(overlap, uri)];
  }
}

const partnersOf = (overlap: OverlapIndex<string>, uri: string): readonly string[] =>
  overlap.similarTo(uri, OVERLAP_THRESHOLD).flatMap(({ ids }) => ids);

function overlapOf(index: Index): OverlapIndex<string> {
  const overlap = new OverlapIndex<string>();
  // In one order on every machine, whichever file was read first.
  for (const uri of [...index.graph.skills.keys()].sort()) bringOverlap(overlap, index, uri);
  return overlap;
}

function bringOverlap(overlap: OverlapIndex<string>, index: Index, uri: string): void {
  const description = descriptionOf(index, uri);
  overlap.set(uri, description === undefined ? undefined : termsOf(description));
}

const descriptionOf = ({ graph, files }: Index, uri: string): string | undefined =>
  graph.skills.get(uri)?.summary.broken === false ? files.get(uri)?.words.description : undefined;
