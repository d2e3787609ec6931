/** The size of a client's list in words, for findings, views and reports. */
import { formatNumber } from '../format-amounts.ts';
import type { Listing } from './budget.ts';

/**
 * Returns what the limit of a list rests on: the context of the model, and the part for the skills that the client itself
 * brings. For example `8,000 with a context of 200,000 tokens, less 6,076 for 13 built-in skills`; undefined if the limit
 * is a fixed number without such skills.
 */
export function limitBasis({ client, limit: { total, builtIn, context } }: Listing): string | undefined {
  const { skills = [] } = client.listing.builtIn?.value ?? {};
  const ofContext = context === undefined ? '' : ` with a context of ${formatNumber(context)} tokens`;
  const ofBuiltIn = builtIn > 0 ? `, less ${formatNumber(builtIn)} for ${skills.length} built-in skills` : '';
  return ofContext + ofBuiltIn === '' ? undefined : `${formatNumber(total)}${ofContext}${ofBuiltIn}`;
}

/** Returns the size of a list and its limit: `4,120 of 1,924 characters (8,000 with a context of …)`. */
export function sizeOfList(listing: Listing): string {
  const { used, limit } = listing;
  return `${formatNumber(used)} of ${formatNumber(limit.amount)} ${limit.unit}${inBrackets(limitBasis(listing))}`;
}

/** Returns a text in brackets, after a space; nothing without a text. */
export const inBrackets = (text: string | undefined): string => (text === undefined ? '' : ` (${text})`);
