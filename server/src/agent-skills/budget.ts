/** The list of skills that a client shows to its model, and the entries that do not fit into its budget. */

import { lengthOf, type TextLength } from '../skill/agent-skill-facts.ts';
import { isEqualData } from '../skill/summary.ts';
import type { Client, ListFormat, ListingBudget } from '../vocabulary/client.ts';
import { clients } from '../vocabulary/clients.ts';
import { listedLength } from './conditions.ts';
import { nameInClient } from './duplicates.ts';
import { isOrderKnown, type ListedAs, type ListingOutcome, listLine, rootOf, sortKeyOf } from './list-line.ts';
import type { Subject } from './subject.ts';

/** Returns a client's list of skills; undefined if the list has no budget, or if the size of the budget is unknown. */
export function listingOf(client: Client, entries: Entries, contextTokens: number | undefined): Listing | undefined {
  const { value: budget } = client.listing.budget;
  const limit = limitOf(client, contextTokens);
  if (!limit || budget === null || budget === 'unknown') return undefined;
  const isShort = entries.used <= limit.amount;
  const ofRoots = isShort ? 0 : entries.ofRoots;
  const used = entries.used - ofRoots;
  return { client, limit, entries, used, ...overflow(client, entries, limit.amount + ofRoots, budget) };
}

/** The clients whose lists have a budget of a known size. */
export const BUDGETED: readonly Client[] = clients.filter(
  ({ listing: { budget } }) => budget.value !== null && budget.value !== 'unknown',
);

function limitOf({ listing }: Client, contextTokens: number | undefined): Limit | undefined {
  const { value: budget } = listing.budget;
  if (budget === null || budget === 'unknown') return undefined;
  const { percentOfContext, charactersPerToken, fallbackCharacters, characters, bytes, counts } = budget;
  if (bytes !== undefined) return { amount: bytes, unit: 'bytes' };
  if (characters !== undefined) return { amount: characters, unit: 'characters' };
  if (percentOfContext === undefined || charactersPerToken === undefined) return undefined;
  if (contextTokens === undefined) {
    return fallbackCharacters === undefined ? undefined : { amount: fallbackCharacters, unit: 'characters' };
  }
  const tokens = Math.floor((contextTokens * percentOfContext) / 100);
  return counts === 'line' && budget.countsTokens
    ? { amount: tokens, unit: 'tokens' }
    : { amount: tokens * charactersPerToken, unit: 'characters' };
}

/**
 * Returns the entry of a skill in the client's list. Without a budget of a known size, the cost is the number of
 * characters of its line.
 */
export function entryOf(client: Client, subject: Subject, contextTokens: number | undefined): ListEntry {
  const { value: budget } = client.listing.budget;
  const { charactersPerToken = 1, counts = 'line' } = budget === 'unknown' ? {} : (budget ?? {});
  const unit = limitOf(client, contextTokens)?.unit ?? 'characters';
  const measure = ({ characters, bytes }: TextLength): number =>
    unit === 'tokens' ? Math.ceil(bytes / charactersPerToken) : unit === 'bytes' ? bytes : characters;
  const name = nameInClient(client, subject);
  const known = { uri: subject.uri, name, sortKey: sortKeyOf(client, subject), ofRoot: 0 };
  if (counts === 'name-and-description') {
    const limits = client.limits.description?.value;
    const ofDescription = listedLength({ ...limits, unit: unit === 'bytes' ? 'bytes' : 'characters' }, subject);
    return { ...known, cost: measure(lengthOf(name)) + ofDescription, ofDescription };
  }
  const lineOf = (outcome: ListingOutcome): string => listLine(client, subject, { outcome })?.text ?? '';
  const costOf = (line: string): number => measure(lengthOf(`${line}\n`));
  const whole = lineOf('whole');
  const cost = costOf(whole);
  const { aliases } = client.listing.format;
  const ofRoot = aliases ? Math.max(0, cost - costOf(whole.replace(rootOf(client, subject), ROOT_ALIAS))) : 0;
  return { ...known, cost, ofDescription: cost - costOf(lineOf('name-only')), ofRoot };
}

/** The alias that a client writes instead of the path of a folder of skills. */
const ROOT_ALIAS = 'r0';

/** Returns the outcome for a skill in a list; undefined if the list does not contain the skill. */
export function outcomeIn(listing: Listing, uri: string): ListedAs | undefined {
  const own = listing.entries.inOrder.find((one) => one.uri === uri);
  return own && outcomeOfEntry(listing, own);
}

/** Returns the outcome for an entry of a list. */
export function outcomeOfEntry(listing: Listing, entry: ListEntry): ListedAs {
  const { client, entries, limit, used, outcomeOf, shortenedTo } = listing;
  const outcome = outcomeOf(entry);
  const listed = { outcome, hasAliases: used < entries.used };
  if (outcome !== 'shortened' || shortenedTo === undefined) return listed;
  const { budget, format } = client.listing;
  const each = limit.unit === 'tokens' && budget.value !== 'unknown' ? (budget.value?.charactersPerToken ?? 1) : 1;
  return { ...listed, shortenedTo: Math.max(0, shortenedTo * each - charactersAround(format)) };
}

/**
 * Returns whether a client's list has a budget that applies to every user. A budget that is not verified, or that a
 * setting switches on, is shown only in the client matrix.
 */
export function hasCertainBudget({ listing: { budget } }: Client): boolean {
  const { value, certainty } = budget;
  return certainty !== 'unverified' && typeof value === 'object' && value !== null && !value.onlyWith;
}

/** Returns the number of characters that the client adds to a line together with the description. */
const charactersAround = ({ line = '', nameOnly = line }: ListFormat): number =>
  Math.max(0, line.length - nameOnly.length - (nameOnly === line ? 0 : '{description}'.length));

/** The unit of a budget. */
type Unit = 'characters' | 'bytes' | 'tokens';

interface Limit {
  readonly amount: number;
  readonly unit: Unit;
}

export interface Listing {
  readonly client: Client;
  readonly limit: Limit;
  readonly entries: Entries;
  /** The size of the list. If whole paths do not fit, and the client then shortens them, with short paths. */
  readonly used: number;
  readonly outcomeOf: (skill: ListEntry) => ListingOutcome;
  /** The minimum number of entries that lose their description or are dropped. */
  readonly dropped: number;
  /** The length to which descriptions are shortened, if all are shortened evenly. */
  readonly shortenedTo?: number;
}

// Keeps the entries of a list in the client's order and by description length, and updates one entry at a time.

/** An entry of the list. */
export interface ListEntry {
  readonly uri: string;
  readonly name: string;
  /** The text by which the client sorts its list; the name if the order is not known. */
  readonly sortKey: string;
  /**
   * The cost of the entry, in the same unit as the limit. `ofDescription` is the part of the cost for the description.
   */
  readonly cost: number;
  readonly ofDescription: number;
  /** The part of the cost that the client saves by an alias for the start of the path. */
  readonly ofRoot: number;
}

export interface Entries {
  readonly inOrder: readonly ListEntry[];
  /** The entries with the longest descriptions first. */
  readonly heaviest: readonly ListEntry[];
  /** The total cost. `ofDescriptions` and `ofRoots` are parts of it, as in an entry. */
  readonly used: number;
  readonly ofDescriptions: number;
  readonly ofRoots: number;
}

export function entriesOf(all: readonly ListEntry[]): Entries {
  return {
    inOrder: [...all].sort(byKey),
    heaviest: [...all].sort(byWeight),
    used: all.reduce((sum, { cost }) => sum + cost, 0),
    ofDescriptions: all.reduce((sum, { ofDescription }) => sum + ofDescription, 0),
    ofRoots: all.reduce((sum, { ofRoot }) => sum + ofRoot, 0),
  };
}

/**
 * Returns the entries with `before` replaced by `entry`. `before` is undefined for a new entry, and `entry` for a
 * removed entry.
 */
export function withEntry(entries: Entries, before: ListEntry | undefined, entry: ListEntry | undefined): Entries {
  const { inOrder, heaviest, used, ofDescriptions, ofRoots } = entries;
  if (isEqualData(before, entry)) return entries;
  const replaced = (all: readonly ListEntry[], compare: Order): readonly ListEntry[] => {
    const next = [...all];
    if (before) next.splice(placeOf(next, before, compare), 1);
    if (entry) next.splice(placeOf(next, entry, compare), 0, entry);
    return next;
  };
  return {
    inOrder: replaced(inOrder, byKey),
    heaviest: replaced(heaviest, byWeight),
    used: used - (before?.cost ?? 0) + (entry?.cost ?? 0),
    ofDescriptions: ofDescriptions - (before?.ofDescription ?? 0) + (entry?.ofDescription ?? 0),
    ofRoots: ofRoots - (before?.ofRoot ?? 0) + (entry?.ofRoot ?? 0),
  };
}

type Order = (a: ListEntry, b: ListEntry) => number;

const byKey: Order = (a, b) => (a.sortKey < b.sortKey ? -1 : a.sortKey > b.sortKey ? 1 : inUriOrder(a, b));

const byWeight: Order = (a, b) => b.ofDescription - a.ofDescription || inUriOrder(a, b);

const inUriOrder: Order = (a, b) => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0);

/** Returns the index of an entry, or the index at which it would be inserted. */
function placeOf(sorted: readonly ListEntry[], entry: ListEntry, compare: Order): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle] as ListEntry, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Determines which entries a list over its budget loses, according to its client's rule.

type Result = Pick<Listing, 'outcomeOf' | 'dropped' | 'shortenedTo'>;

function overflow(client: Client, entries: Entries, limit: number, budget: ListingBudget): Result {
  const { skills: most = Infinity } = budget;
  if (entries.inOrder.length > most) {
    const first = overflow(client, entriesOf(entries.inOrder.slice(0, most)), limit, budget);
    const isFirst = isBefore(entries.inOrder[most]);
    const dropped = first.dropped + entries.inOrder.length - most;
    return { ...first, dropped, outcomeOf: (skill) => (isFirst(skill) ? first.outcomeOf(skill) : 'dropped') };
  }
  if (entries.used <= limit) return WHOLE;
  switch (client.listing.overflow.value) {
    case 'least-used-descriptions-go':
      return leastUsed(entries, entries.used - limit);
    case 'shortens-evenly':
      return shortened(entries, limit, budget.shortenedMost);
    case 'stops':
    case 'stops-then-names':
      return isOrderKnown(client)
        ? stopped(entries, limit, budget.namesCharacters ?? 0)
        : stoppedSomewhere(entries, limit);
    case 'nothing':
    case 'rest-by-name':
    case 'unknown':
      return WHOLE;
  }
}

const WHOLE: Result = { outcomeOf: () => 'whole', dropped: 0 };

/**
 * Computes the outcome for a client that removes the least-used descriptions. Because the usage is unknown, `dropped`
 * is a minimum that counts the longest descriptions first.
 */
function leastUsed({ heaviest, ofDescriptions }: Entries, excess: number): Result {
  let dropped = 0;
  for (let left = excess; left > 0 && dropped < heaviest.length; dropped++)
    left -= heaviest[dropped]?.ofDescription ?? 0;
  const described: ListingOutcome = excess < ofDescriptions ? 'maybe' : 'name-only';
  return { outcomeOf: ({ ofDescription }) => (ofDescription > 0 ? described : 'whole'), dropped };
}

/** Shortens all descriptions to the greatest length that fits. If even the names do not fit, entries are dropped. */
function shortened(entries: Entries, limit: number, most = Infinity): Result {
  const { heaviest, used, ofDescriptions } = entries;
  const names = used - ofDescriptions;
  if (names > limit) return withoutDescriptions(entries, limit);
  let rest = limit - names;
  let shortenedTo = 0;
  for (let left = heaviest.length; left > 0; left--) {
    const cost = heaviest[left - 1]?.ofDescription ?? 0;
    shortenedTo = Math.min(most, Math.floor(rest / left));
    if (cost > shortenedTo) break;
    rest -= cost;
  }
  return {
    outcomeOf: ({ ofDescription }) => (ofDescription > shortenedTo ? 'shortened' : 'whole'),
    dropped: 0,
    shortenedTo,
  };
}

/**
 * Keeps the entries before the first entry that does not fit, then lists the names of the other entries, separated by
 * commas, up to `namesCharacters`.
 */
function stopped({ inOrder }: Entries, limit: number, namesCharacters: number): Result {
  const whole = fitting(inOrder, ({ cost }) => cost, limit);
  const comma = ', '.length;
  const named = fitting(inOrder, ({ name }) => name.length + comma, namesCharacters + comma, whole);
  const [isWhole, isNamed] = [isBefore(inOrder[whole]), isBefore(inOrder[named])];
  return {
    outcomeOf: (skill) => (isWhole(skill) ? 'whole' : isNamed(skill) ? 'name-only' : 'dropped'),
    dropped: inOrder.length - whole,
  };
}

/** The entries that a client drops depend on its order, which is not known; `dropped` is their minimum number. */
function stoppedSomewhere({ inOrder }: Entries, limit: number): Result {
  const cheapest = [...inOrder].sort((a, b) => a.cost - b.cost);
  return { outcomeOf: () => 'maybe', dropped: inOrder.length - fitting(cheapest, ({ cost }) => cost, limit) };
}

function withoutDescriptions({ inOrder }: Entries, limit: number): Result {
  const isNamed = isBefore(inOrder[fitting(inOrder, ({ cost, ofDescription }) => cost - ofDescription, limit)]);
  return { outcomeOf: (skill) => (isNamed(skill) ? 'name-only' : 'dropped'), dropped: inOrder.length };
}

/** Returns the index of the first entry, counted from `start`, that exceeds the limit. */
function fitting(all: readonly ListEntry[], costOf: (skill: ListEntry) => number, limit: number, start = 0): number {
  let used = 0;
  for (let at = start; at < all.length; at++) {
    used += costOf(all[at] as ListEntry);
    if (used > limit) return at;
  }
  return all.length;
}

const isBefore =
  (end: ListEntry | undefined) =>
  (skill: ListEntry): boolean =>
    end === undefined || byKey(skill, end) < 0;
