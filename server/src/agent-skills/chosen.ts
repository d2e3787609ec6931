import type { Client } from '../vocabulary/client.ts';
import { type Cell, type Chosen, cell, reasonOf, type YesNo } from './cell.ts';
import { truthOf } from './conditions.ts';
import type { Subject } from './subject.ts';

/** Who can choose the skill: the model by itself, people by its name, or both. */
export function chosenCell(client: Client, subject: Subject, listed: YesNo): Cell<Chosen> {
  const { byName, keys } = client;
  const key = keys.find(({ name }) => name === 'user-invocable');
  const isOff = key ? (truthOf(client, subject, key.name) ?? key.default ?? true) === false : false;
  const byPeople = isOff ? 'no' : byName.value;
  const reason =
    key && isOff
      ? reasonOf(
          client,
          { source: key.source, ...(key.certainty && { certainty: key.certainty }) },
          key.effect.replace(/\.$/, ''),
          {
            cause: { kind: 'key', key: key.name },
            meant: true,
          },
        )
      : reasonOf(
          client,
          byName,
          byPeople === 'yes' ? 'People call it by its name' : 'Whether people can call it is not known',
        );
  if (listed === 'unknown') return cell('unknown', reason);
  if (listed === 'yes') return cell(byPeople === 'yes' ? 'model-or-name' : 'model', reason);
  return cell(byPeople === 'yes' ? 'name' : byPeople === 'no' ? 'nobody' : 'unknown', reason);
}
