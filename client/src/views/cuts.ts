/** The parts of descriptions that target clients do not show to their models. */
import type { ClientsReply, Range } from '../../../server/src/protocol.ts';

export interface Cut {
  readonly range: Range;
  /** The names of the clients that cut the description at this range. */
  readonly names: readonly string[];
}

/** Returns one cut for each range that a target client hides. */
export function cutsOf({ clients }: Pick<ClientsReply, 'clients'>): readonly Cut[] {
  const cuts = new Map<string, { readonly range: Range; readonly names: string[] }>();
  for (const { name, isTarget, line } of clients) {
    if (!isTarget || !line?.hidden) continue;
    const { range } = line.hidden;
    const key = JSON.stringify(range);
    const known = cuts.get(key);
    if (known) known.names.push(name);
    else cuts.set(key, { range, names: [name] });
  }
  return [...cuts.values()];
}
