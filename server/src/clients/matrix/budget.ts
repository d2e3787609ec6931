/** The list of skills that a client shows to its model, and the entries that do not fit into its budget. */

import { lengthOf, type TextLength } from '../../skill/agent-skill-facts.ts';
import { isEqualData } from '../../skill/summary.ts';
import type { BuiltInSkills, Client, ListFormat, ListingBudget } from '../facts/client.ts';
import { clients } from '../facts/clients.ts';
import { type ListModel, type ModelChoice, modelOf } from '../facts/models.ts';
import {
  isOrderKnown,
  type ListedAs,
  type ListingOutcome,
  type ListLine,
  listLine,
  loaderInPlace,
  sortKeyOf,
} from './list-line.ts';
import { listedLength, unkeptLength } from './listed-length.ts';
import { nameInClient } from './prediction.ts';
import type { RivalFiles } from './rivals.ts';
import type { Subject } from './subject.ts';

/**
 * Returns a client's list of skills; undefined if the list has no budget, or if the size of the budget is unknown.
 *
 * @param choice the models of the user; undefined for the client's default model
 */
export function listingOf(client: Client, entries: Entries, choice: ModelChoice): Listing | undefined {
  const { value: budget } = client.listing.budget;
  if (budget === null || budget === 'unknown') return undefined;
  const limit = limitOf(client, budget, choice);
  return limit && { client, limit, entries, used: entries.used, ...overflow(client, entries, limit, budget) };
}

/** Returns whether the list of a client has a budget, of which something is known. */
export const hasBudget = ({ listing: { budget } }: Client): boolean =>
  budget.value !== null && budget.value !== 'unknown';

/** The clients whose lists have a budget of a known size. */
export const BUDGETED: readonly Client[] = clients.filter(hasBudget);

/** Returns the size of a client's list (docs/clients.md, "The list and its budget"); undefined if it is not known. */
function limitOf(client: Client, budget: ListingBudget, choice: ModelChoice): Limit | undefined {
  const size = totalOf(client, budget, choice);
  if (!size) return undefined;
  const own = builtInCosts(client, budget, size.unit);
  // The last entry of a list has no line break after it.
  const last = budget.counts === 'line' && size.unit === 'characters' && own.some(({ kept }) => kept > 0) ? 1 : 0;
  const builtIn = own.reduce((sum, { kept }) => sum + kept, 0) - last;
  return { ...size, builtIn, amount: Math.max(0, size.total - builtIn - (budget.around?.whole ?? 0)) };
}

function totalOf(
  client: Client,
  budget: ListingBudget,
  choice: ModelChoice,
): Pick<Limit, 'total' | 'unit' | 'model'> | undefined {
  const unit = unitOf(budget);
  const fixed = budget.bytes ?? budget.characters;
  if (fixed !== undefined) return { total: fixed, unit };
  const model = modelOf(client, budget, choice);
  if (!model) return undefined;
  const tokens = (model.context * (budget.percentOfContext ?? 0)) / 100;
  return { total: Math.floor(unit === 'tokens' ? tokens : tokens * model.charactersPerToken), unit, model };
}

const unitOf = ({ bytes, countsTokens }: Partial<ListingBudget>): Unit =>
  countsTokens ? 'tokens' : bytes === undefined ? 'characters' : 'bytes';

/** Returns a function that measures a text with this many characters and bytes as a budget does. */
const measureOf =
  ({ charactersPerToken = 1 }: Partial<ListingBudget>, unit: Unit) =>
  ({ characters, bytes }: TextLength): number =>
    unit === 'tokens' ? Math.ceil(bytes / charactersPerToken) : unit === 'bytes' ? bytes : characters;

/** The cost of a skill that the client itself brings. */
interface BuiltInCost {
  /** The part that the skills of a workspace cannot use in a list that has all of them in full. */
  readonly kept: number;
  readonly whole: number;
  readonly ofDescription: number;
}

function builtInCosts({ listing }: Client, budget: ListingBudget, unit: Unit): readonly BuiltInCost[] {
  const { place, skills } = listing.builtIn?.value ?? NO_SKILLS;
  const measure = measureOf(budget, unit);
  const lineBreak = budget.counts === 'line' ? 1 : 0;
  const costOf = (length: number): number => measure({ characters: length + lineBreak, bytes: length + lineBreak });
  const stops = listing.overflow.value === 'stops' || listing.overflow.value === 'stops-then-names';
  const givesWay = listing.overflow.value === 'least-used-descriptions-go' || listing.overflow.value === 'names-first';
  return skills.map(({ characters, removable = 0 }) => {
    const [whole, name] = [costOf(characters), costOf(characters - removable)];
    const kept = stops && place === 'last' ? 0 : givesWay ? name : whole;
    return { kept, whole, ofDescription: whole - name };
  });
}

const NO_SKILLS: BuiltInSkills = { place: 'first', skills: [] };

/**
 * Returns the entry of a skill in the client's list. Without a budget of a known size, the cost is the number of
 * characters of its line.
 *
 * @param rivals the skills that the client may find together with it
 */
export function entryOf(client: Client, subject: Subject, rivals: RivalFiles = NO_RIVALS): ListEntry {
  const { value } = client.listing.budget;
  const budget = value === 'unknown' || value === null ? NO_BUDGET : value;
  const unit = unitOf(budget);
  const measure = measureOf(budget, unit);
  const loader = loaderInPlace(client, subject, rivals.known);
  const lineFor = (outcome: ListingOutcome) => listLine(client, subject, { outcome }, rivals, loader);
  const name = nameInClient(client, subject, loader);
  const known = { uri: subject.uri, name, sortKey: sortKeyOf(client, subject, name), ofRest: 0 };
  if (budget.counts === 'name-and-description') {
    const limits = client.limits.description?.value;
    const ofDescription = listedLength({ ...limits, unit: unit === 'bytes' ? 'bytes' : 'characters' }, subject);
    return { ...known, cost: measure(lengthOf(name)) + ofDescription, ofDescription };
  }
  const lineBreak = budget.counts === 'line' ? '\n' : '';
  const costOf = (line: ListLine | undefined, unkept = { characters: 0, bytes: 0 }): number => {
    const { characters, bytes } = lengthOf(`${line?.text ?? ''}${lineBreak}`);
    return measure({ characters: characters + unkept.characters, bytes: bytes + unkept.bytes });
  };
  const whole = lineFor('whole');
  const cost = costOf(whole, whole?.isCut === false && whole.shown > 0 ? unkeptLength(client, subject) : undefined);
  const isShortened = client.listing.overflow.value === 'first-lines';
  const short = isShortened ? lineFor('first-line') : undefined;
  const ofDescription = cost - costOf(lineFor('name-only'));
  return { ...known, cost, ofDescription, ofRest: short?.isCut ? cost - costOf(short) : 0 };
}

const NO_BUDGET: ListingBudget = { counts: 'line' };
const NO_RIVALS: RivalFiles = { files: [] };

/** Returns the outcome for a skill in a list; undefined if the list does not contain the skill. */
export function outcomeIn(listing: Listing, uri: string): ListedAs | undefined {
  const own = listing.entries.byUri.get(uri);
  return own && outcomeOfEntry(listing, own);
}

/** Returns the outcome for an entry of a list. */
export function outcomeOfEntry(listing: Listing, entry: ListEntry): ListedAs {
  const { client, limit, outcomeOf, shortenedTo } = listing;
  const outcome = outcomeOf(entry);
  if (outcome !== 'shortened' || shortenedTo === undefined) return { outcome };
  const { budget, format } = client.listing;
  if (limit.unit !== 'tokens' || budget.value === 'unknown') return { outcome, shortenedTo };
  const { charactersPerToken: each = 1 } = budget.value ?? {};
  return { outcome, shortenedTo: Math.max(0, shortenedTo * each - charactersAround(format)) };
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
  /** The size that is left for the skills of a workspace. */
  readonly amount: number;
  readonly unit: Unit;
  /** The size of the whole list, with the skills that the client itself brings. */
  readonly total: number;
  /** The size that the client's own skills keep. */
  readonly builtIn: number;
  /** The model that `total` depends on; undefined if it is the same for every model. */
  readonly model?: ListModel;
}

export interface Listing {
  readonly client: Client;
  readonly limit: Limit;
  readonly entries: Entries;
  /** The size of the entries if all are listed in full. */
  readonly used: number;
  readonly outcomeOf: (skill: ListEntry) => ListingOutcome;
  /** The minimum number of entries that lose their description or are dropped. */
  readonly dropped: number;
  /** The length to which descriptions are shortened, in the unit of the limit, if all are shortened evenly. */
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
  /** The part of the cost that the client saves if it keeps only the first line of the description. */
  readonly ofRest: number;
  /** True for a command, which the client lists as a skill. `uri` is that of the command. */
  readonly isCommand?: true;
}

export interface Entries {
  readonly inOrder: readonly ListEntry[];
  readonly byUri: ReadonlyMap<string, ListEntry>;
  /** The entries with the longest descriptions first. */
  readonly heaviest: readonly ListEntry[];
  /** The total cost, and the part of it for the descriptions. */
  readonly used: number;
  readonly ofDescriptions: number;
}

/** Returns the entries of skills, without commands, with the longest descriptions first. */
export const heaviestSkills = ({ heaviest }: Entries): readonly ListEntry[] =>
  heaviest.filter(({ isCommand }) => !isCommand);

/** Returns the number of skills and of commands in a list. */
export function countEntries({ inOrder }: Entries): { readonly skills: number; readonly commands: number } {
  const commands = inOrder.filter(({ isCommand }) => isCommand).length;
  return { skills: inOrder.length - commands, commands };
}

export function entriesOf(all: readonly ListEntry[]): Entries {
  return {
    inOrder: [...all].sort(byKey),
    byUri: new Map(all.map((entry) => [entry.uri, entry])),
    heaviest: [...all].sort(byWeight),
    used: all.reduce((sum, { cost }) => sum + cost, 0),
    ofDescriptions: all.reduce((sum, { ofDescription }) => sum + ofDescription, 0),
  };
}

/**
 * Returns the entries with `before` replaced by `entry`. `before` is undefined for a new entry, and `entry` for a
 * removed entry.
 */
export function withEntry(entries: Entries, before: ListEntry | undefined, entry: ListEntry | undefined): Entries {
  const { inOrder, byUri, heaviest, used, ofDescriptions } = entries;
  if (isEqualData(before, entry)) return entries;
  const replaced = (all: readonly ListEntry[], compare: Order): readonly ListEntry[] => {
    const next = [...all];
    if (before) next.splice(placeOf(next, before, compare), 1);
    if (entry) next.splice(placeOf(next, entry, compare), 0, entry);
    return next;
  };
  const found = new Map(byUri);
  if (before) found.delete(before.uri);
  if (entry) found.set(entry.uri, entry);
  return {
    inOrder: replaced(inOrder, byKey),
    byUri: found,
    heaviest: replaced(heaviest, byWeight),
    used: used - (before?.cost ?? 0) + (entry?.cost ?? 0),
    ofDescriptions: ofDescriptions - (before?.ofDescription ?? 0) + (entry?.ofDescription ?? 0),
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

function overflow(client: Client, entries: Entries, limit: Limit, budget: ListingBudget): Result {
  const { skills: most = Infinity, namesCharacters = Infinity } = budget;
  if (entries.inOrder.length > most) {
    const first = overflow(client, entriesOf(entries.inOrder.slice(0, most)), limit, budget);
    const isFirst = isBefore(entries.inOrder[most]);
    const dropped = first.dropped + entries.inOrder.length - most;
    return { ...first, dropped, outcomeOf: (skill) => (isFirst(skill) ? first.outcomeOf(skill) : 'dropped') };
  }
  if (entries.used <= limit.amount) return WHOLE;
  const isOrdered = isOrderKnown(client);
  switch (client.listing.overflow.value) {
    case 'least-used-descriptions-go':
      return leastUsed(entries, limit.amount);
    case 'names-first':
      return isOrdered ? namesFirst(entries, limit.amount) : leastUsed(entries, limit.amount);
    case 'first-lines':
      return { outcomeOf: ({ ofRest }) => (ofRest > 0 ? 'first-line' : 'whole'), dropped: 0 };
    case 'shortens-evenly':
      return shortened(client, entries, limit, budget);
    case 'stops':
      return isOrdered ? stopped(entries, limit.amount, 0) : stoppedSomewhere(entries, limit.amount);
    case 'stops-then-names':
      return isOrdered ? stopped(entries, limit.amount, namesCharacters) : stoppedSomewhere(entries, limit.amount);
    case 'nothing':
    case 'unknown':
      return WHOLE;
  }
}

const WHOLE: Result = { outcomeOf: () => 'whole', dropped: 0 };

/**
 * Computes the outcome for a client that removes the least-used descriptions. The usage is unknown: `dropped` is a
 * minimum that counts the longest descriptions first, and only a description that does not fit alone is surely removed.
 */
function leastUsed({ heaviest, used, ofDescriptions }: Entries, limit: number): Result {
  const room = limit - (used - ofDescriptions);
  let dropped = 0;
  for (let left = used - limit; left > 0 && dropped < heaviest.length; dropped++)
    left -= heaviest[dropped]?.ofDescription ?? 0;
  return {
    outcomeOf: ({ ofDescription }) => (ofDescription === 0 ? 'whole' : ofDescription > room ? 'name-only' : 'maybe'),
    dropped,
  };
}

/** Keeps all names, and each description that fits beside those before it in the list. */
function namesFirst({ inOrder, used, ofDescriptions }: Entries, limit: number): Result {
  let room = limit - (used - ofDescriptions);
  const removed = new Set<string>();
  for (const { uri, ofDescription } of inOrder) {
    if (ofDescription <= room || ofDescription === 0) room -= ofDescription;
    else removed.add(uri);
  }
  return { outcomeOf: ({ uri }) => (removed.has(uri) ? 'name-only' : 'whole'), dropped: removed.size };
}

/**
 * Shortens all descriptions, also those of the client's own skills, to the greatest length that fits. If this length is
 * too small, all descriptions are dropped; if even the names do not fit, entries are dropped.
 */
function shortened(client: Client, entries: Entries, { total, unit }: Limit, budget: ListingBudget): Result {
  const { shortenedLeast = 0, shortenedMost = Infinity, around } = budget;
  const builtIn = builtInCosts(client, budget, unit);
  const ofBuiltIn = builtIn.reduce((sum, { whole, ofDescription }) => sum + whole - ofDescription, 0);
  const room = total - ofBuiltIn - (around?.short ?? 0);
  // The signs around a description are a part of its cost.
  const signs = unit === 'characters' ? charactersAround(client.listing.format) : 0;
  let rest = room - (entries.used - entries.ofDescriptions);
  if (rest < 0) return withoutDescriptions(entries, room);
  const costs = [...entries.heaviest, ...builtIn].map(({ ofDescription }) => ofDescription).sort((a, b) => a - b);
  let to = 0;
  for (const [index, cost] of costs.entries()) {
    to = Math.min(shortenedMost + signs, Math.floor(rest / (costs.length - index)));
    if (cost > to) break;
    rest -= cost;
  }
  if (to - signs < shortenedLeast) return withoutDescriptions(entries, room);
  const shortenedTo = Math.max(0, to - signs);
  return { outcomeOf: ({ ofDescription }) => (ofDescription > to ? 'shortened' : 'whole'), dropped: 0, shortenedTo };
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
