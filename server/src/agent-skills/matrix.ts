/** The matrix: what each client makes of one `SKILL.md` (docs/clients.md). */
import type { Client } from '../vocabulary/client.ts';
import { type ClientRow, cell, type YesNo } from './cell.ts';
import { chosenCell } from './chosen.ts';
import { conditionsOf } from './conditions.ts';
import { cutCell } from './cut.ts';
import { nameFor, twinOf } from './duplicates.ts';
import { foundCell } from './found.ts';
import { ignoredCell } from './ignored.ts';
import { listedCell } from './listed.ts';
import { loadedCell } from './loaded.ts';
import type { Subject } from './subject.ts';

/** `others` are the further skills of the workspace, of which one may have the same name. */
export function rowOf(client: Client, subject: Subject, others: readonly Subject[]): ClientRow {
  const name = nameFor(client, subject);
  const found = foundCell(client, subject);
  if (found.outcome === 'no') {
    const no = cell<YesNo>('no');
    return { client, name, found, loaded: no, listed: no, chosen: cell('nobody'), cut: no, ignored: no };
  }
  const causes = conditionsOf(client, subject);
  const twin = twinOf(client, subject, others);
  const loaded = loadedCell(client, causes, twin);
  if (loaded.outcome === 'no') {
    const no = cell<YesNo>('no');
    return { client, name, found, loaded, listed: no, chosen: cell('nobody'), cut: no, ignored: no };
  }
  const seen = listedCell(client, subject, causes, twin);
  const listed =
    loaded.outcome === 'unknown' && seen.outcome === 'yes' ? cell<YesNo>('unknown', ...seen.reasons) : seen;
  return {
    client,
    name,
    found,
    loaded,
    listed,
    chosen: chosenCell(client, subject, listed.outcome),
    cut: cutCell(client, causes),
    ignored: ignoredCell(client, subject, causes),
  };
}
