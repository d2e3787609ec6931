/** The matrix: what each client makes of one `SKILL.md` (docs/clients.md). */
import type { Client } from '../vocabulary/client.ts';
import { type Cell, type ClientRow, cell, type YesNo } from './cell.ts';
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
  const { found, loaded, listed, causes } = seenBy(client, subject, others);
  const known = { client, name: nameFor(client, subject), found, loaded, listed };
  if (loaded.outcome === 'no') return { ...known, chosen: cell('nobody'), cut: NO, ignored: NO };
  return {
    ...known,
    chosen: chosenCell(client, subject, listed.outcome),
    cut: cutCell(client, causes),
    ignored: ignoredCell(client, subject, causes),
  };
}

/** Whether the model may see the skill in a list. */
export const isListed = (client: Client, subject: Subject, others: readonly Subject[]): boolean =>
  seenBy(client, subject, others).listed.outcome !== 'no';

const NO: Cell = cell('no');

function seenBy(client: Client, subject: Subject, others: readonly Subject[]) {
  const found = foundCell(client, subject);
  if (found.outcome === 'no') return { found, loaded: NO, listed: NO, causes: [] };
  const causes = conditionsOf(client, subject);
  const twin = twinOf(client, subject, others);
  const loaded = loadedCell(client, causes, twin);
  if (loaded.outcome === 'no') return { found, loaded, listed: NO, causes };
  const seen = listedCell(client, subject, causes, twin);
  const isSure = loaded.outcome !== 'unknown' || seen.outcome !== 'yes';
  return { found, loaded, listed: isSure ? seen : cell<YesNo>('unknown', ...seen.reasons), causes };
}
