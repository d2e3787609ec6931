/** The list of skills that a client shows to its model, and what goes where it is longer than its budget. */
import { lengthOf, type TextLength } from '../skill/agent-skill-facts.ts';
import type { Client } from '../vocabulary/client.ts';
import { clients } from '../vocabulary/clients.ts';
import { listedLength } from './conditions.ts';
import { nameFor } from './duplicates.ts';
import type { Entries, ListedSkill } from './entries.ts';
import type { Limit, Listing } from './listing.ts';
import { overflow } from './overflow.ts';
import { placeIn } from './placed.ts';
import type { Subject } from './subject.ts';

/** The list of a client with these entries; undefined where it has no budget, or a size that nobody knows. */
export function listingOf(client: Client, entries: Entries, contextTokens: number | undefined): Listing | undefined {
  const { value: budget } = client.listing.budget;
  const limit = limitOf(client, contextTokens);
  if (!limit || budget === null || budget === 'unknown') return undefined;
  return { client, limit, entries, ...overflow(client.listing.overflow.value, entries, limit.amount, budget) };
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

/** The entry of a skill that the client lists; undefined where there is no list. */
export function entryOf(client: Client, subject: Subject, contextTokens: number | undefined): ListedSkill | undefined {
  const { value: budget } = client.listing.budget;
  const unit = limitOf(client, contextTokens)?.unit;
  if (!unit || budget === null || budget === 'unknown') return undefined;
  const limits = client.limits.description?.value ?? {};
  const most = limits.listing ?? (client.outcomes.description_too_long?.value === 'truncated' ? limits.max : undefined);
  const whole = {
    characters: listedLength({ ...limits, unit: 'characters' }, subject),
    bytes: listedLength({ ...limits, unit: 'bytes' }, subject),
  };
  const kept = Math.min(1, (most ?? Infinity) / Math.max(1, whole[limits.unit ?? 'characters']));
  const description: TextLength = {
    characters: Math.ceil(whole.characters * kept),
    bytes: Math.ceil(whole.bytes * kept),
  };
  const name = nameFor(client, subject);
  const measure = ({ characters, bytes }: TextLength): number =>
    unit === 'tokens' ? Math.ceil(bytes / (budget.charactersPerToken ?? 1)) : unit === 'bytes' ? bytes : characters;
  const line = budget.counts === 'line' ? lineAround(client, subject) : '';
  const around = lengthOf(`${line}${name}`);
  const cost = measure({
    characters: around.characters + description.characters,
    bytes: around.bytes + description.bytes,
  });
  return { uri: subject.uri, name, cost, ofDescription: cost - measure(around) };
}

/** What stands around name and description in a line, its line break included. Paths count from the client's folder. */
function lineAround(client: Client, subject: Subject): string {
  const { line = '{name}: {description}' } = client.listing.format;
  const placed = placeIn(client, subject);
  const path = placed
    ? [placed.dir.path, ...subject.folders.slice(-placed.depth), subject.fileName].join('/')
    : subject.fileName;
  return `${line
    .replace('{name}', '')
    .replace('{description}', '')
    .replace('{path}', () => path)}\n`;
}
