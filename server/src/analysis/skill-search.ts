/** Keeps the search index of a workspace, which is created on first use and updated for each edited file. */

import { OVERLAP_THRESHOLD, OverlapIndex } from '../matching/overlap-index.ts';
import { type SearchableSkill, SearchIndex } from '../matching/search-index.ts';
import { termsOf } from '../matching/words.ts';
import { nameFromUri } from '../vocabulary/dialect.ts';
import type { Index } from '../workspace/workspace-index.ts';

/** The search index of the newest workspace index. */
export class SkillSearch {
  #search: SearchIndex | undefined;
  /** The files whose words may have changed since the last update. */
  readonly #edited = new Set<string>();
  #revision = 0;

  /** Records that a file was added, changed or removed. */
  note(uri: string): void {
    if (this.#search) this.#edited.add(uri);
  }

  /** Returns the search index of a workspace index. */
  of(index: Index): SearchIndex {
    // Do not store the search index of an older workspace index, because callers rarely request it.
    if (this.#search && index.headRevision < this.#revision) return searchOf(index);
    this.#revision = index.headRevision;
    if (this.#search) for (const uri of this.#edited) updateEntry(this.#search, index, uri);
    this.#edited.clear();
    this.#search ??= searchOf(index);
    return this.#search;
  }
}

function searchOf(index: Index): SearchIndex {
  const search = new SearchIndex();
  for (const uri of index.graph.skills.keys()) updateEntry(search, index, uri);
  return search;
}

function updateEntry(search: SearchIndex, index: Index, uri: string): void {
  const known = search.get(uri);
  const now = findable(index, uri);
  if (known?.words === now?.words && known?.name === now?.name && known?.version === now?.version) return;
  search.set(uri, now);
}

function findable({ graph, files }: Index, uri: string): SearchableSkill | undefined {
  const summary = graph.skills.get(uri)?.summary;
  const words = files.get(uri)?.words;
  return summary && words && { name: summary.name ?? nameFromUri(uri), version: summary.version, words };
}

// Keeps the index that finds similar descriptions in a workspace, and creates the index on first use (docs/registry.md,
// "Overlap").

/**
 * The maximum number of descriptions for which a changed description is assumed to affect all similarities, because it
 * changes the weights of its words.
 */
const FEW = 50;

/** The description index for the newest workspace index. */
export class SkillOverlap {
  #overlap: OverlapIndex<string> | undefined;
  #revision = 0;

  /** Returns the description index for a workspace index. */
  of(index: Index): OverlapIndex<string> {
    // Do not store the description index for an older workspace index, because callers rarely request it.
    if (this.#overlap && index.headRevision < this.#revision) return overlapOf(index);
    this.#overlap ??= overlapOf(index);
    this.#revision = index.headRevision;
    return this.#overlap;
  }

  /** Updates an existing index for an added, changed or removed file. Returns the files whose results may change. */
  edited(uri: string, before: Index, after: Index): Iterable<string> {
    const overlap = this.#overlap;
    if (!overlap) return [];
    this.#revision = after.headRevision;
    const isSame = descriptionOf(before, uri) === descriptionOf(after, uri);
    if (isSame && before.graph.skills.get(uri) === after.graph.skills.get(uri)) return [];
    const asked = isSame || overlap.size > FEW ? [uri] : [...overlap.ids()];
    const old = asked.flatMap((one) => withPartners(overlap, one));
    updateDescription(overlap, after, uri);
    return [...old, ...[uri, ...asked].flatMap((one) => withPartners(overlap, one))];
  }
}

/** Returns the files with similar descriptions and the file itself, or an empty list without similar ones. */
function withPartners(overlap: OverlapIndex<string>, uri: string): readonly string[] {
  const partners = partnersOf(overlap, uri);
  return partners.length > 0 ? [uri, ...partners] : [];
}

const partnersOf = (overlap: OverlapIndex<string>, uri: string): readonly string[] =>
  overlap.similarTo(uri, OVERLAP_THRESHOLD).flatMap(({ ids }) => ids);

function overlapOf(index: Index): OverlapIndex<string> {
  const overlap = new OverlapIndex<string>();
  // Sort the files, so that the order is the same on every machine and does not depend on which file was read first.
  for (const uri of [...index.graph.skills.keys()].sort()) updateDescription(overlap, index, uri);
  return overlap;
}

function updateDescription(overlap: OverlapIndex<string>, index: Index, uri: string): void {
  const description = descriptionOf(index, uri);
  overlap.set(uri, description === undefined ? undefined : termsOf(description));
}

const descriptionOf = ({ graph, files }: Index, uri: string): string | undefined =>
  graph.skills.get(uri)?.summary.broken === false ? files.get(uri)?.words.description : undefined;
