/**
 * The clients that a `SKILL.md` is for: those that the user's settings name, else its catalog, else those whose folders the
 * workspace has (docs/clients.md, "Target clients").
 */
import type { ClientRow } from '../agent-skills/cell.ts';
import { placeIn } from '../agent-skills/placed.ts';
import { type Subject, subjectOf } from '../agent-skills/subject.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Client } from '../vocabulary/client.ts';
import { findClient } from '../vocabulary/clients.ts';
import type { Analysis } from './analysis.ts';

export interface Targets {
  readonly clients: readonly Client[];
  /** False where they are concluded from folders: what lies elsewhere is then nobody's fault. */
  readonly isChosen: boolean;
}

export function targetsOf(analysis: Analysis, subject: Pick<Subject, 'uri' | 'folders'>): Targets {
  const beside = targetsBeside(analysis, subject.uri);
  // A client that does not look where the file lies is no judge of it.
  return beside.isChosen ? beside : { ...beside, clients: beside.clients.filter((client) => placeIn(client, subject)) };
}

/** Those of all files that the catalog of this one governs. */
export function targetsBeside(analysis: Analysis, uri: string): Targets {
  const named = analysis.clients ?? analysis.settledCatalogOf(uri).agentSkills.clients;
  if (named) return { clients: [...new Set(named)].flatMap((id) => findClient(id) ?? []), isChosen: true };
  return { clients: analysis.partial ? [] : analysis.agentSkills.owners, isChosen: false };
}

/** What the target clients make of a file; nothing is known of that while others are being read. */
export function targetRows(analysis: Analysis, file: SkillFile): Targets & { readonly rows: readonly ClientRow[] } {
  const { agentSkill } = file.summary;
  const targets = agentSkill ? targetsOf(analysis, subjectOf(file.uri, agentSkill)) : { clients: [], isChosen: false };
  const rows =
    targets.clients.length > 0 && !analysis.partial
      ? analysis.agentSkills.rowsOf(file, targets.clients, analysis.findLink)
      : [];
  return { ...targets, rows };
}
