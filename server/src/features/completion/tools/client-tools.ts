/** In a catalog, `agent_skills.tools`: the catalog's tools as keys, and as values what the client calls its own. */
import { findClient } from '../../../vocabulary/clients.ts';
import { ours } from '../../markdown.ts';
import { fits } from '../../symbol/table-place.ts';
import { nameProposals } from '../names.ts';
import { Kind, type Offer, type Proposal } from '../proposal.ts';
import { keyInsert } from '../schema-words.ts';
import { offerAt, written, type YamlCursor } from '../yaml-place.ts';

export function offerClientTools(cursor: YamlCursor): Offer | undefined {
  const { path, role, siblings } = cursor.place;
  if (role === 'key' && fits(path, 'agent_skills', 'tools', '*')) {
    const tools = nameProposals(cursor, 'tool').filter(({ label }) => !siblings.includes(label));
    return offerAt(
      cursor,
      tools.map((tool): Proposal => ({ ...tool, ...keyInsert(cursor, tool.label, 'value') })),
    );
  }
  if (role !== 'value' || !fits(path, 'agent_skills', 'tools', '*', '*')) return undefined;
  const client = findClient(String(path[2]));
  return offerAt(
    cursor,
    (client?.tools?.value.names ?? []).map(({ name, docs }) => ({
      label: name,
      kind: Kind.Function,
      detail: client?.name,
      docs: ours(docs),
      insert: written(cursor, name),
    })),
  );
}
