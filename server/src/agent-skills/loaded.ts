import type { Client, Outcome } from '../vocabulary/client.ts';
import { type Cause, type Cell, cell, type Reason, reasonOf } from './cell.ts';
import type { Twin } from './duplicates.ts';
import { tell } from './sentences.ts';

const FATAL: ReadonlySet<Outcome> = new Set(['skipped_with_message', 'skipped_silently', 'rejected']);
/** What another column tells. */
const ELSEWHERE: ReadonlySet<Outcome> = new Set(['ok', 'truncated', 'hidden_from_model', 'both_listed']);

/** Whether the client takes the file in, by all that is the matter with it. */
export function loadedCell(client: Client, causes: readonly Cause[], twin: Twin | undefined): Cell {
  const fatal: Reason[] = [];
  const remarks: Reason[] = [];
  let isUnknown = false;
  for (const cause of causes) {
    const fact = cause.kind === 'unknown_key' ? rejection(client) : outcomeOf(client, cause);
    const outcome = fact?.value ?? 'unknown';
    if (cause.kind === 'unknown_key' && outcome !== 'rejected') continue;
    if (FATAL.has(outcome) && fact) fatal.push(reasonOf(client, fact, tell(cause, outcome), { cause, bad: true }));
    else if (!fact || outcome === 'unknown') {
      isUnknown = true;
      if (fact) remarks.push(reasonOf(client, fact, tell(cause, 'unknown'), { cause }));
    } else if (!ELSEWHERE.has(outcome)) remarks.push(reasonOf(client, fact, tell(cause, outcome), { cause }));
  }
  if (fatal.length > 0) return cell('no', ...fatal);
  if (twin?.fate === 'hidden') return cell('no', twin.reason, ...remarks);
  if (twin?.fate === 'unknown') return cell('unknown', twin.reason, ...remarks);
  return cell(isUnknown ? 'unknown' : 'yes', ...remarks);
}

export const outcomeOf = ({ outcomes }: Client, { kind }: Cause) =>
  kind === 'place' || kind === 'file-name' || kind === 'key' ? undefined : outcomes[kind];

const rejection = ({ outcomes }: Client) => outcomes.unknown_key;
