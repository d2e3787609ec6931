/** The step `listed`: the position of a skill in the list of a client, and the size of the list. */

import type { Client, ListOrder } from '../../clients/facts/client.ts';
import type { Listing } from '../../clients/matrix/budget.ts';
import { type ClientRow, type Reason, reasonOf } from '../../clients/matrix/cell.ts';
import { entryText, listText } from '../../clients/matrix/limit-text.ts';
import { isFormKnown, type ListingOutcome, type ListPosition } from '../../clients/matrix/list-line.ts';
import { formatNumber } from '../../format-amounts.ts';
import type { ClientView } from '../../protocol/clients-view.ts';
import { automaticReason, isGuessed, outcomeOf, type Step, sentences } from './chain.ts';

export function listedStep(
  row: ClientRow,
  view: ClientView,
  listing: Listing | undefined,
  size: number,
  position: ListPosition | undefined,
): Step {
  const { client } = row;
  const fact = client.listing.budget;
  const budget = view.budget;
  const entryOutcome = budget?.entryOutcome ?? 'whole';
  const isOptional = typeof fact.value === 'object' && fact.value?.onlyWith !== undefined;
  const outcome = outcomeOf(row.listed);
  const known = [...row.listed.reasons, ...row.cut.reasons];
  // Without a remark, the outcome rests on the fact that the model chooses among listed skills.
  const isGuess = known.length > 0 ? isGuessed(known) : isGuessed(automaticReason(client));
  const base = { name: 'listed' as const, isGuess, reasons: [...known, ...listReasons(client, entryOutcome)] };
  if (row.listed.outcome === 'no') return { ...base, outcome, text: sentences(row.listed.reasons) };
  const { tool } = client.listing;
  const texts = [
    sentences(known),
    ...(tool ? [`The model sees the list only after it calls \`${tool.value}\`.`] : []),
    outcome === 'unknown' ? 'It is not known whether the list contains the skill.' : placeInList(size, position),
    ...(listing ? [listText(listing)] : [fact.value === null ? NO_LIMIT : UNKNOWN_LIMIT]),
    ...(listing ? [entryText(listing, entryOutcome) ?? ''] : []),
  ];
  const touched: Step['outcome'] = tool || isOptional ? 'depends' : entryOutcome === 'dropped' ? 'no' : 'depends';
  return {
    ...base,
    isPartial: row.cut.outcome === 'yes' || PARTIAL.has(entryOutcome),
    outcome:
      (tool && outcome === 'yes') ||
      entryOutcome === 'dropped' ||
      entryOutcome === 'maybe' ||
      (isOptional && entryOutcome !== 'whole')
        ? touched
        : outcome,
    text: texts.filter((text) => text !== '').join(' '),
  };
}

const PARTIAL: ReadonlySet<ListingOutcome> = new Set(['shortened', 'first-line', 'name-only']);

function placeInList(size: number, position: ListPosition | undefined): string {
  if (size === 1) return 'It is the only skill in the list.';
  const order = position
    ? `at position ${formatNumber(position.at)} of ${formatNumber(position.of)}`
    : `one of ${formatNumber(size)} skills, in an order that is not known`;
  return `In the list, it is ${order}.`;
}

/** Returns the facts about the size of the list, and about what is removed if it is too long. */
function listReasons(client: Client, entryOutcome: 'whole' | ListingOutcome): readonly Reason[] {
  const { budget, overflow, format, order, tool } = client.listing;
  const limit =
    budget.value === 'unknown'
      ? 'The size of the list is limited, but the limit is not known'
      : budget.value === null
        ? 'No limit of the size of the list is known'
        : 'The size of the list is limited';
  return [
    reasonOf(
      client,
      format,
      isFormKnown(client) ? 'The form of the entry is known' : 'The form of the entry is not known',
    ),
    ...(order ? [reasonOf(client, order, `The order of the list is: ${ORDERS[order.value]}`)] : []),
    ...(tool ? [reasonOf(client, tool, 'The model must call a tool to see the list')] : []),
    reasonOf(client, budget, limit),
    ...(entryOutcome === 'whole' ? [] : [reasonOf(client, overflow, 'A part of a list that is too long is removed')]),
  ];
}

const ORDERS: Readonly<Record<ListOrder, string>> = {
  'scope-name': 'by scope, then by name',
  name: 'by name',
  'folder-path': 'by the path of the folder',
  'file-path': 'by the path of the file',
  found: 'as the file system lists the folders',
};

const NO_LIMIT = 'No limit of its size is known.';

const UNKNOWN_LIMIT = 'Its size is limited, but the limit is not known.';
