import type { Client } from '../vocabulary/client.ts';
import { type Cause, type Cell, cell, type Reason, reasonOf } from './cell.ts';
import { truthOf } from './conditions.ts';
import type { Twin } from './duplicates.ts';
import { outcomeOf } from './loaded.ts';
import { tell, whatOf } from './sentences.ts';
import { findKey, type Subject, textOf } from './subject.ts';

/** Whether the model sees the skill in the list that it chooses from. */
export function listedCell(client: Client, subject: Subject, causes: readonly Cause[], twin: Twin | undefined): Cell {
  const hidden = [...hiddenReasons(client, subject), ...outcomesThatHide(client, causes)];
  if (hidden.length > 0) return cell('no', ...hidden);
  const losses = causes.flatMap((cause) => {
    const fact = outcomeOf(client, cause);
    if (!fact?.loses) return [];
    return [
      reasonOf(client, fact, `${whatOf(cause)}, so the list has the skill without its description`, {
        cause,
        bad: true,
      }),
    ];
  });
  const shared = twin?.fate === 'stays' ? [twin.reason] : [];
  const { hidden: unknown } = client.listing;
  const hasPaths = findKey(subject, 'paths') && unknown.value.some((by) => 'key' in by && by.key === 'paths');
  const paths = hasPaths
    ? [reasonOf(client, unknown, 'It is listed with matching files only, since it has `paths`', { meant: true })]
    : [];
  return cell('yes', ...losses, ...shared, ...paths);
}

function* hiddenReasons(client: Client, subject: Subject): Iterable<Reason> {
  const { hidden } = client.listing;
  for (const by of hidden.value) {
    if (!('key' in by) || by.is === undefined) continue;
    if (truthOf(client, subject, by.key) !== by.is) continue;
    const text = `\`${by.key}: ${by.is}\` takes it out of the list`;
    yield reasonOf(client, hidden, text, { cause: { kind: 'key', key: by.key }, meant: true });
  }
  const needs = hidden.value.some((by) => 'missing' in by);
  const isTold = client.outcomes.missing_description?.value === 'hidden_from_model';
  if (needs && !isTold && !textOf(subject, 'description')) {
    yield reasonOf(client, hidden, 'Without a `description` it is not in the list', {
      cause: { kind: 'missing_description', key: 'description' },
      bad: true,
    });
  }
}

function* outcomesThatHide(client: Client, causes: readonly Cause[]): Iterable<Reason> {
  for (const cause of causes) {
    const fact = outcomeOf(client, cause);
    if (fact?.value === 'hidden_from_model')
      yield reasonOf(client, fact, tell(cause, fact.value), { cause, bad: true });
  }
}
