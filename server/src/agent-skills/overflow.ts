/** What goes of a list that is longer than its budget, by the rule of each client. */
import type { ListingBudget, Overflow } from '../vocabulary/client.ts';
import { byName, type Entries, type ListedSkill } from './entries.ts';
import type { Fate, Listing } from './listing.ts';

type Result = Pick<Listing, 'fateOf' | 'dropped' | 'shortenedTo'>;

export function overflow(
  rule: Overflow,
  entries: Entries,
  limit: number,
  { skills: most = Infinity, namesCharacters = 0 }: ListingBudget,
): Result {
  const { used, inOrder } = entries;
  if (used <= limit && inOrder.length <= most) return WHOLE;
  switch (rule) {
    case 'least-used-descriptions-go':
      return leastUsed(entries, used - limit);
    case 'shortens-evenly':
      return shortened(entries, limit);
    case 'stops':
      return stopped(entries, limit, 0);
    case 'stops-then-names':
      return stopped(entries, limit, namesCharacters);
    case 'descriptions-then-entries':
      return withoutDescriptions(entries, limit, most);
    case 'nothing':
    case 'rest-by-name':
    case 'unknown':
      return WHOLE;
  }
}

const WHOLE: Result = { fateOf: () => 'whole', dropped: 0 };

/** Use decides which go, so only their least number is certain: as few as the longest make. */
function leastUsed({ heaviest, ofDescriptions }: Entries, excess: number): Result {
  let dropped = 0;
  for (let left = excess; left > 0 && dropped < heaviest.length; dropped++)
    left -= heaviest[dropped]?.ofDescription ?? 0;
  const described: Fate = excess < ofDescriptions ? 'maybe' : 'name-only';
  return { fateOf: ({ ofDescription }) => (ofDescription > 0 ? described : 'whole'), dropped };
}

/** Every description keeps as much as the longest that fits for all; where not even the names fit, entries go. */
function shortened(entries: Entries, limit: number): Result {
  const { heaviest, used, ofDescriptions } = entries;
  const names = used - ofDescriptions;
  if (names > limit) return withoutDescriptions(entries, limit, Infinity);
  let rest = limit - names;
  let shortenedTo = 0;
  for (let left = heaviest.length; left > 0; left--) {
    const cost = heaviest[left - 1]?.ofDescription ?? 0;
    shortenedTo = Math.floor(rest / left);
    if (cost > shortenedTo) break;
    rest -= cost;
  }
  return {
    fateOf: ({ ofDescription }) => (ofDescription > shortenedTo ? 'shortened' : 'whole'),
    dropped: 0,
    shortenedTo,
  };
}

/** From the first entry that does not fit none is whole; so many characters of names follow, with commas between them. */
function stopped({ inOrder }: Entries, limit: number, namesCharacters: number): Result {
  const whole = fitting(inOrder, ({ cost }) => cost, limit);
  const comma = ', '.length;
  const named = fitting(inOrder, ({ name }) => name.length + comma, namesCharacters + comma, whole);
  const [isWhole, isNamed] = [isBefore(inOrder[whole]), isBefore(inOrder[named])];
  return {
    fateOf: (skill) => (isWhole(skill) ? 'whole' : isNamed(skill) ? 'name-only' : 'dropped'),
    dropped: inOrder.length - whole,
  };
}

function withoutDescriptions({ inOrder }: Entries, limit: number, most: number): Result {
  const named = Math.min(
    most,
    fitting(inOrder, ({ cost, ofDescription }) => cost - ofDescription, limit),
  );
  const isNamed = isBefore(inOrder[named]);
  return { fateOf: (skill) => (isNamed(skill) ? 'name-only' : 'dropped'), dropped: inOrder.length };
}

/** The place of the first entry with which those from `start` on cost more than there is. */
function fitting(
  all: readonly ListedSkill[],
  costOf: (skill: ListedSkill) => number,
  limit: number,
  start = 0,
): number {
  let used = 0;
  for (let at = start; at < all.length; at++) {
    used += costOf(all[at] as ListedSkill);
    if (used > limit) return at;
  }
  return all.length;
}

const isBefore =
  (end: ListedSkill | undefined) =>
  (skill: ListedSkill): boolean =>
    end === undefined || byName(skill, end) < 0;
