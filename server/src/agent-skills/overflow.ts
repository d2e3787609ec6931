/** What goes of a list that is longer than its budget, by the rule of each client. */
import type { ListingBudget, Overflow } from '../vocabulary/client.ts';
import type { Fate, ListedSkill, Listing } from './listing.ts';

type Result = Pick<Listing, 'skills' | 'dropped' | 'shortenedTo'>;

/** `skills` are in the order of the list. */
export function overflow(
  rule: Overflow,
  skills: readonly ListedSkill[],
  limit: number,
  { skills: most = Infinity, namesCharacters = 0 }: ListingBudget,
): Result {
  const used = sum(skills.map(({ cost }) => cost));
  if (used <= limit && skills.length <= most) return fates(skills, () => 'whole');
  switch (rule) {
    case 'least-used-descriptions-go':
      return leastUsed(skills, used - limit);
    case 'shortens-evenly':
      return shortened(skills, limit);
    case 'stops':
      return stopped(skills, limit, () => 'dropped');
    case 'stops-then-names':
      return stopped(skills, limit, (before) => (before <= namesCharacters ? 'name-only' : 'dropped'));
    case 'descriptions-then-entries':
      return withoutDescriptions(skills, limit, most);
    case 'nothing':
    case 'rest-by-name':
    case 'unknown':
      return fates(skills, () => 'whole');
  }
}

/** Use decides which go, so only their least number is certain: as few as the longest make. */
function leastUsed(skills: readonly ListedSkill[], excess: number): Result {
  let left = excess;
  let dropped = 0;
  for (const cost of skills.map(({ ofDescription }) => ofDescription).sort((a, b) => b - a)) {
    if (left <= 0) break;
    left -= cost;
    dropped++;
  }
  return { ...fates(skills, ({ ofDescription }) => (ofDescription > 0 ? 'maybe' : 'whole')), dropped };
}

/** Every description keeps as much as the longest that fits for all; where not even the names fit, entries go. */
function shortened(skills: readonly ListedSkill[], limit: number): Result {
  const names = sum(skills.map(({ cost, ofDescription }) => cost - ofDescription));
  if (names > limit) return withoutDescriptions(skills, limit, Infinity);
  let rest = limit - names;
  let left = skills.length;
  let shortenedTo = 0;
  for (const cost of skills.map(({ ofDescription }) => ofDescription).sort((a, b) => a - b)) {
    shortenedTo = Math.floor(rest / left);
    if (cost > shortenedTo) break;
    rest -= cost;
    left--;
  }
  return {
    ...fates(skills, ({ ofDescription }) => (ofDescription > shortenedTo ? 'shortened' : 'whole')),
    shortenedTo,
  };
}

/** From the first entry that does not fit, none is whole. */
function stopped(skills: readonly ListedSkill[], limit: number, then: (namesBefore: number) => Fate): Result {
  let used = 0;
  let names = 0;
  return fates(skills, ({ cost, name }) => {
    used += cost;
    if (used <= limit) return 'whole';
    used = Infinity;
    names += name.length + 1;
    return then(names);
  });
}

function withoutDescriptions(skills: readonly ListedSkill[], limit: number, most: number): Result {
  let used = 0;
  let count = 0;
  return fates(skills, ({ cost, ofDescription }) => {
    used += cost - ofDescription;
    count++;
    return used <= limit && count <= most ? 'name-only' : 'dropped';
  });
}

function fates(skills: readonly ListedSkill[], fateOf: (skill: ListedSkill) => Fate): Result {
  const told = skills.map((skill) => ({ ...skill, fate: fateOf(skill) }));
  return { skills: told, dropped: told.filter(({ fate }) => fate === 'name-only' || fate === 'dropped').length };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
