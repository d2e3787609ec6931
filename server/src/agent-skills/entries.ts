/** The entries of a list, in its order and by the length of their descriptions. A change of one costs that one. */
import { Map as PersistentMap } from 'immutable';

/** An entry of the list. */
export interface ListedSkill {
  readonly uri: string;
  readonly name: string;
  /** What the entry costs, and what of that its description costs. */
  readonly cost: number;
  readonly ofDescription: number;
}

export interface Entries {
  readonly byUri: PersistentMap<string, ListedSkill>;
  readonly inOrder: readonly ListedSkill[];
  /** The longest descriptions first. */
  readonly heaviest: readonly ListedSkill[];
  /** What all of them cost, and what of that their descriptions cost. */
  readonly used: number;
  readonly ofDescriptions: number;
}

export function entriesOf(all: readonly ListedSkill[]): Entries {
  return {
    byUri: PersistentMap(all.map((one) => [one.uri, one])),
    inOrder: [...all].sort(byName),
    heaviest: [...all].sort(byWeight),
    used: all.reduce((sum, { cost }) => sum + cost, 0),
    ofDescriptions: all.reduce((sum, { ofDescription }) => sum + ofDescription, 0),
  };
}

/** With this entry of a file, or without one. */
export function withEntry(entries: Entries, uri: string, entry: ListedSkill | undefined): Entries {
  const { byUri, inOrder, heaviest, used, ofDescriptions } = entries;
  const before = byUri.get(uri);
  if (!before && !entry) return entries;
  const replaced = (all: readonly ListedSkill[], compare: Order): readonly ListedSkill[] => {
    const next = [...all];
    if (before) next.splice(placeOf(next, before, compare), 1);
    if (entry) next.splice(placeOf(next, entry, compare), 0, entry);
    return next;
  };
  return {
    byUri: entry ? byUri.set(uri, entry) : byUri.delete(uri),
    inOrder: replaced(inOrder, byName),
    heaviest: replaced(heaviest, byWeight),
    used: used - (before?.cost ?? 0) + (entry?.cost ?? 0),
    ofDescriptions: ofDescriptions - (before?.ofDescription ?? 0) + (entry?.ofDescription ?? 0),
  };
}

type Order = (a: ListedSkill, b: ListedSkill) => number;

/** The order in which clients list them. */
export const byName: Order = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : inUriOrder(a, b));

const byWeight: Order = (a, b) => b.ofDescription - a.ofDescription || inUriOrder(a, b);

const inUriOrder: Order = (a, b) => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0);

/** Where an entry stands, or would stand. */
function placeOf(sorted: readonly ListedSkill[], entry: ListedSkill, compare: Order): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle] as ListedSkill, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
