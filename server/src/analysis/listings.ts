/** How full the lists of the target clients are with the skills of one catalog, or of a workspace without one. */
import type { ListsBeside } from '../agent-skills/around.ts';
import { BUDGETED, listingOf } from '../agent-skills/budget.ts';
import type { Listing } from '../agent-skills/listing.ts';
import type { Subject } from '../agent-skills/subject.ts';
import type { Client } from '../vocabulary/client.ts';
import { longestDescription } from '../workspace/beside-agent-skill.ts';
import type { Analysis } from './analysis.ts';
import { targetsOf } from './targets.ts';

/** The skills under the catalog that governs a file. */
export function subjectsBeside(analysis: Analysis, uri: string): readonly Subject[] {
  const catalog = analysis.findCatalog(uri);
  return analysis.agentSkills.subjects.filter((subject) => analysis.findCatalog(subject.uri) === catalog);
}

/** The list of a client that lists these skills; undefined where it has no budget of a known size. */
export function listingFor(
  analysis: Analysis,
  client: Client,
  subjects: readonly Subject[],
  contextTokens: number | undefined,
): Listing | undefined {
  if (!BUDGETED.includes(client)) return undefined;
  const { agentSkills } = analysis;
  const listed = subjects.filter((subject) => {
    const row = agentSkills.rowOf(subject, client);
    return row.found.outcome !== 'no' && row.listed.outcome !== 'no';
  });
  return listingOf(client, listed, contextTokens);
}

/** The lists of the target clients with a budget, beside a file. */
export const listingsBeside = (analysis: Analysis, uri: string): ListsBeside =>
  analysis.agentSkills.listingsUnder(analysis.findCatalog(uri)?.uri ?? '', () => makeListings(analysis, uri));

function makeListings(analysis: Analysis, uri: string): ListsBeside {
  const subjects = subjectsBeside(analysis, uri);
  const { contextTokens } = analysis.settledCatalogOf(uri).agentSkills;
  const meant = new Map<Client, Subject[]>();
  for (const subject of subjects) {
    for (const client of targetsOf(analysis, subject).clients) {
      if (!BUDGETED.includes(client)) continue;
      const known = meant.get(client);
      if (known) known.push(subject);
      else meant.set(client, [subject]);
    }
  }
  const listings = BUDGETED.flatMap((client) => {
    const own = meant.get(client);
    return (own && listingFor(analysis, client, own, contextTokens)) ?? [];
  });
  return { listings, longest: longestDescription(subjects) };
}
