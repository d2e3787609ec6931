/** Adds what the budget of a client's list does to an entry to the row of its client (docs/clients.md, "The columns"). */
import { hasCertainBudget, type Listing, outcomeIn } from './budget.ts';
import { type ClientRow, cell, type Reason, reasonOf } from './cell.ts';
import { entryText, listText } from './limit-text.ts';

/**
 * Returns the row of a client with the loss that the budget of its list causes: an entry that is omitted is not listed, and
 * an entry without its whole description is cut. The outcome is unknown if it depends on use, or on a setting.
 *
 * @param listing the list that contains the skill; undefined if its size is not known
 * @param textOf returns the text about a list (`listText`), which takes as long as the list has skills
 */
export function withList(
  row: ClientRow,
  listing: Listing | undefined,
  uri: string,
  textOf: (listing: Listing) => string = listText,
): ClientRow {
  const outcome = listing && row.listed.outcome !== 'no' ? outcomeIn(listing, uri)?.outcome : undefined;
  if (!listing || outcome === undefined || outcome === 'whole') return row;
  const isSure = outcome !== 'maybe' && hasCertainBudget(row.client);
  const reason = reasonAbout(listing, `${textOf(listing)} ${(entryText(listing, outcome) ?? USE).slice(0, -1)}`);
  if (outcome === 'dropped') return { ...row, listed: cell(isSure ? 'no' : 'unknown', ...row.listed.reasons, reason) };
  const cut = isSure || row.cut.outcome === 'yes' ? 'yes' : 'unknown';
  return { ...row, cut: cell(cut, ...row.cut.reasons, reason) };
}

const USE = 'The skills that it affects depend on use.';

function reasonAbout(listing: Listing, text: string): Reason {
  const { source, certainty } = listing.client.listing.budget;
  return reasonOf(listing.client, { source, ...(certainty && { certainty }) }, text);
}
