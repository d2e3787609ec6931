import type { Client } from '../vocabulary/client.ts';
import { type Cause, type Cell, cell, type Reason, reasonOf } from './cell.ts';
import { outcomeOf } from './loaded.ts';
import { tell } from './sentences.ts';
import { findKey, type Subject } from './subject.ts';

/** What is written and has no effect: keys that the client does not read, a name in whose place it takes another. */
export function ignoredCell(client: Client, subject: Subject, causes: readonly Cause[]): Cell {
  const ignored: Reason[] = [];
  const unknown: Reason[] = [];
  const tools = allowedTools(client, subject);
  if (tools) (client.allowedTools.value === 'unknown' ? unknown : ignored).push(tools);
  for (const cause of causes) {
    const fact = outcomeOf(client, cause);
    if (!fact) continue;
    if (fact.value === 'renamed' && cause.kind !== 'missing_name') {
      ignored.push(reasonOf(client, fact, tell(cause, fact.value), { cause, bad: true }));
    }
    if (cause.kind !== 'unknown_key' || fact.value === 'rejected') continue;
    const isWarned = fact.value === 'loaded_with_warning';
    if (fact.value === 'unknown')
      unknown.push(reasonOf(client, fact, `Whether it reads \`${cause.key}\` is not known`, { cause }));
    else
      ignored.push(
        reasonOf(client, fact, `\`${cause.key}\` has no effect${isWarned ? ', and the client says so' : ''}`, {
          cause,
        }),
      );
  }
  if (ignored.length > 0) return cell('yes', ...ignored);
  return unknown.length > 0 ? cell('unknown', ...unknown) : cell('no');
}

function allowedTools(client: Client, subject: Subject): Reason | undefined {
  const { allowedTools: fact } = client;
  if (fact.value === 'grants' || !findKey(subject, 'allowed-tools')) return undefined;
  const text =
    fact.value === 'unknown' ? 'What it makes of `allowed-tools` is not known' : '`allowed-tools` grants nothing here';
  return reasonOf(client, fact, text, { cause: { kind: 'key', key: 'allowed-tools' } });
}
