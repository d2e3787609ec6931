/** The matrix of one `SKILL.md`: every client, which of them are targets, and the line that each model sees. */
import { type Cell, type ClientRow, COLUMNS } from '../../agent-skills/cell.ts';
import type { Listing } from '../../agent-skills/listing.ts';
import { placeOf } from '../../agent-skills/places.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { targetRows } from '../../analysis/targets.ts';
import type { ClientCell, ClientsView, ClientView } from '../../protocol/clients-view.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { clients } from '../../vocabulary/clients.ts';
import { bundledFiles } from './bundled-files.ts';
import { fillOf } from './list-fill.ts';
import { listingLine } from './listing-line.ts';

/** More files are not listed. */
const MAX_FILES = 200;

/** Undefined where the file is no `SKILL.md`. */
export function clientsView(analysis: Analysis, file: SkillFile): ClientsView | undefined {
  if (file.dialect !== 'agent-skill') return undefined;
  const targets = targetRows(analysis, file);
  const isTarget = new Set(targets.clients);
  const bundled = bundledFiles(analysis, file);
  return {
    uri: file.uri,
    isChosen: targets.isChosen,
    clients: analysis.agentSkills.rowsOf(file, clients, analysis.findLink).map((row) => {
      const listing = isTarget.has(row.client) ? analysis.listings.find(row.client, file.uri) : undefined;
      return viewOf(file, row, isTarget.has(row.client), listing);
    }),
    files: bundled.slice(0, MAX_FILES),
    moreFiles: Math.max(0, bundled.length - MAX_FILES),
    unreadFiles: analysis.folder(file.uri)?.unread ?? 0,
  };
}

function viewOf(file: SkillFile, row: ClientRow, isTarget: boolean, listing: Listing | undefined): ClientView {
  const { id, name } = row.client;
  const own = listing?.entries.byUri.get(file.uri);
  const fate = own && listing?.fateOf(own);
  const line = row.listed.outcome === 'no' ? undefined : listingLine(file, row.client, listing, fate);
  const cells = Object.fromEntries(COLUMNS.map((column) => [column, cellOf(file, row[column])]));
  return {
    id,
    name,
    isTarget,
    cells: cells as ClientView['cells'],
    ...(line && { line }),
    ...(listing && fate && { budget: { ...fillOf(listing), fate } }),
  };
}

const cellOf = (file: SkillFile, { outcome, reasons }: Cell<string>): ClientCell => ({
  outcome,
  reasons: reasons.map(({ text, source, checked, certainty, cause }) => ({
    text,
    source,
    checked,
    certainty,
    ...(cause && cause.kind !== 'place' && { place: { uri: file.uri, span: placeOf(file, cause) } }),
  })),
});
