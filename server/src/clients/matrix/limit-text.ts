/** The size of a client's list in words. Findings, views and reports contain only these texts. */
import { formatNumber } from '../../format-amounts.ts';
import type { Client } from '../facts/client.ts';
import type { ListModel } from '../facts/models.ts';
import { countEntries, type Listing } from './budget.ts';
import type { ListingOutcome } from './list-line.ts';

/**
 * Returns the size of a client's list, the model that it depends on, and what the client's own skills leave. No final
 * period. For example `Claude Code lists skills in 8,000 characters for claude-sonnet-4-5 (200,000 tokens of context);
 * its 13 own skills take 6,076, which leaves 1,924`.
 */
export function limitText({ client, limit: { amount, total, unit, builtIn, model } }: Listing): string {
  const budget = typeof client.listing.budget.value === 'object' ? client.listing.budget.value : null;
  const { skills: own = [] } = client.listing.builtIn?.value ?? {};
  const most = budget?.skills === undefined ? '' : `, at most ${formatNumber(budget.skills)} of them`;
  const setting = budget?.onlyWith === undefined ? '' : `, only with the setting ${budget.onlyWith}`;
  const guess = client.listing.budget.certainty === 'unverified' ? ' (not verified)' : '';
  const texts = budget?.around ? `the texts around the list take ${formatNumber(budget.around.whole)}` : undefined;
  const taken = [
    ...(builtIn > 0 ? [`its ${formatNumber(own.length)} own skills take ${formatNumber(builtIn)}`] : []),
    ...(texts === undefined ? [] : [texts]),
  ];
  const left = taken.length === 0 ? '' : `; ${taken.join(', ')}, which leaves ${formatNumber(amount)}`;
  return `${client.name} lists skills in ${formatNumber(total)} ${unit}${forModel(model)}${most}${setting}${guess}${left}`;
}

function forModel(model: ListModel | undefined): string {
  if (!model) return '';
  const context = `${formatNumber(model.context)} tokens of context`;
  if (model.isDefault) return ` for its default model (${context})`;
  return model.name === undefined ? ` for a model with ${context}` : ` for ${model.name} (${context})`;
}

/**
 * Returns the part that the skills need, and what the client does if that is too much. No final period. For example
 * `The 60 skills here need 22,430 characters, so the client removes at least 58 descriptions, those of the least used
 * skills`.
 */
export function needText(listing: Listing): string {
  const { entries, used, limit } = listing;
  const { skills: own, commands } = countEntries(entries);
  const others =
    commands === 0 ? '' : ` and ${commands === 1 ? 'the command' : `the ${formatNumber(commands)} commands`}`;
  const many = own === 1 ? `The skill${others}` : `The ${formatNumber(own)} skills${others}`;
  const need = `${many} here ${own === 1 && commands === 0 ? 'needs' : 'need'}`;
  const loss = lossText(listing);
  return `${need} ${formatNumber(used)} ${limit.unit}${loss === undefined ? '' : `, so the client ${loss}`}`;
}

/** Returns the size of a list and the part that its skills need, in two sentences. */
export const listText = (listing: Listing): string => `${limitText(listing)}. ${needText(listing)}.`;

/** Returns what a client does with a list that is too long; undefined if the list is complete. */
function lossText({ client, entries, limit, dropped, outcomeOf, shortenedTo }: Listing): string | undefined {
  const countOf = (wanted: ListingOutcome): number =>
    entries.inOrder.filter((entry) => outcomeOf(entry) === wanted).length;
  const names = entries.inOrder.filter((entry) => outcomeOf(entry) === 'name-only' && entry.ofDescription > 0).length;
  const [shortened, first, omitted] = [countOf('shortened'), countOf('first-line'), countOf('dropped')];
  const losses = [
    ...(shortened > 0
      ? [`cuts ${descriptions(shortened)} to about ${formatNumber(shortenedTo ?? 0)} ${limit.unit}`]
      : []),
    ...(first > 0 ? [`keeps only the first line of ${descriptions(first)}${withoutKeys(client)}`] : []),
    ...(countOf('maybe') > 0
      ? [unknownLoss(client, dropped)]
      : names > 0
        ? [`lists ${skills(names)} by name only`]
        : []),
    ...(omitted > 0 ? [`omits ${skills(omitted)}`] : []),
  ];
  return losses.length === 0 ? undefined : losses.join(' and ');
}

const unknownLoss = ({ listing }: Client, dropped: number): string =>
  listing.overflow.value === 'least-used-descriptions-go' || listing.overflow.value === 'names-first'
    ? `removes at least ${descriptions(dropped)}, those of the least used skills`
    : `lists at least ${formatNumber(dropped)} of them not in full, in an order that is not known`;

const descriptions = (count: number): string =>
  `${formatNumber(count)} ${count === 1 ? 'description' : 'descriptions'}`;

const skills = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'skill' : 'skills'}`;

/** Returns the keys that a client drops with all lines after the first, in words. */
function withoutKeys({ limits }: Client): string {
  const keys = limits.description?.value.with ?? [];
  return keys.length === 0 ? '' : `, without ${keys.map((key) => `\`${key}\``).join(' and ')}`;
}

/** The parts of an entry that a list shows, or that it does not. */
export const ENTRY_WORDS: ReadonlyMap<ListingOutcome, string> = new Map([
  ['shortened', 'cut'],
  ['first-line', 'only the first line'],
  ['name-only', 'only the name'],
  ['dropped', 'omitted'],
]);

/** Returns what a list shows of one skill, as a sentence; undefined if that is the whole entry, or not known. */
export function entryText({ client, limit, shortenedTo }: Listing, outcome: ListingOutcome): string | undefined {
  switch (outcome) {
    case 'shortened':
      return `The list contains about ${formatNumber(shortenedTo ?? 0)} ${limit.unit} of this description.`;
    case 'first-line':
      return `The list contains only the first line of this description${withoutKeys(client)}.`;
    case 'name-only':
      return 'The list contains only the name of this skill.';
    case 'dropped':
      return 'The list omits this skill.';
    default:
      return undefined;
  }
}
