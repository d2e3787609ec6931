/** Counts the facts about a client by the way in which they are known (docs/verifying-facts.md). */
import type { Client } from '../server/src/clients/facts/client.ts';

export interface Shares {
  /** The source is a run in the lab. */
  readonly observed: number;
  readonly read: number;
  readonly unverified: number;
  /** No source answers the question. */
  readonly unknown: number;
}

/** The end of a source that is a run in the lab. */
const OBSERVED = /\bobserved \(\d{4}-\d{2}-\d{2}\)$/;

/** Counts the facts of a client: each value with a source. */
export function sharesOf(client: Client): Shares {
  const shares = { observed: 0, read: 0, unverified: 0, unknown: 0 };
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { source, certainty, value: stated } = value as Readonly<Record<string, unknown>>;
    if (typeof source === 'string') {
      if (stated === 'unknown') shares.unknown += 1;
      else if (certainty === 'unverified') shares.unverified += 1;
      else shares[OBSERVED.test(client.sources[source]?.where ?? '') ? 'observed' : 'read'] += 1;
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(client);
  return shares;
}
