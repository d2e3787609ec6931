/** What target clients do not show their models of a description. */
import type { ClientsReply, Range } from '../../../server/src/protocol.ts';

export interface Cut {
  readonly range: Range;
  /** The clients that cut there. */
  readonly names: readonly string[];
}

/** One for each place at which a target client cuts. */
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
