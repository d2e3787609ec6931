/** How full the lists of clients are, as the preview and the composition graph show it. */
import type { Listing } from '../../agent-skills/listing.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsBeside } from '../../analysis/targets.ts';
import type { ListFill } from '../../protocol/clients-view.ts';
import type { ClientList } from '../../protocol/graph-view.ts';

/** More entries of a list that is too long are only counted. */
const MAX_TOUCHED = 50;

export function fillOf(listing: Listing): ListFill {
  const { client, limit, entries, dropped, shortenedTo } = listing;
  return {
    limit: limit.amount,
    unit: limit.unit,
    used: entries.used,
    skills: entries.inOrder.length,
    dropped,
    ...(shortenedTo !== undefined && { shortenedTo }),
    touched: touchedIn(listing),
    certainty: client.listing.budget.certainty ?? 'read',
  };
}

function touchedIn({ entries, fateOf }: Listing): ListFill['touched'] {
  const touched: ListFill['touched'][number][] = [];
  for (const skill of entries.inOrder) {
    const fate = fateOf(skill);
    if (fate !== 'whole' && fate !== 'maybe') touched.push({ uri: skill.uri, name: skill.name, fate });
    if (touched.length >= MAX_TOUCHED) break;
  }
  return touched;
}

/** The lists of all target clients, of the skills under each catalog; the folder is empty where there is none. */
export function clientLists(analysis: Analysis): readonly ClientList[] {
  const first = new Map<string, string>();
  for (const { uri } of analysis.agentSkills.subjects) {
    const folder = analysis.findCatalog(uri)?.folder ?? '';
    if (!first.has(folder)) first.set(folder, uri);
  }
  return [...first].flatMap(([folder, uri]) =>
    targetsBeside(analysis, uri).clients.flatMap((client) => {
      const listing = analysis.listings.find(client, uri);
      return listing ? [{ folder, client: client.name, fill: fillOf(listing) }] : [];
    }),
  );
}
