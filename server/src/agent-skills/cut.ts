import type { Client } from '../vocabulary/client.ts';
import { type Cause, type Cell, cell, reasonOf } from './cell.ts';
import { outcomeOf } from './loaded.ts';
import { tell } from './sentences.ts';

/** Whether the model sees less of the name and the description than is written. What the budget takes is told apart. */
export function cutCell(client: Client, causes: readonly Cause[]): Cell {
  const lengths = causes.filter(({ kind }) => kind === 'description_too_long' || kind === 'name_too_long');
  const cuts = lengths.flatMap((cause) => {
    const fact = outcomeOf(client, cause);
    return fact?.value === 'truncated' ? [reasonOf(client, fact, tell(cause, fact.value), { cause, bad: true })] : [];
  });
  if (cuts.length > 0) return cell('yes', ...cuts);
  const unknown = lengths.flatMap((cause) => {
    const fact = outcomeOf(client, cause);
    return fact?.value === 'unknown' ? [reasonOf(client, fact, tell(cause, fact.value), { cause })] : [];
  });
  return unknown.length > 0 ? cell('unknown', ...unknown) : cell('no');
}
