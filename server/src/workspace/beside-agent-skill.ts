/** The files whose findings a `SKILL.md` may change beside its own, by what clients make of them together. */
import { same } from '../skill/same.ts';
import type { SkillSummary } from '../skill/summary.ts';
import type { Index } from './workspace-index.ts';

/** One that comes or goes changes who is meant; one that changes, how full the lists of clients are. */
export function* besideAgentSkill(before: Index, after: Index, uri: string): Iterable<string> {
  const old = before.graph.skills.get(uri)?.summary.agentSkill;
  const now = after.graph.skills.get(uri)?.summary.agentSkill;
  if (old === now || same([old], [now])) return;
  for (const { uri: catalog } of after.catalogs.values()) yield catalog;
  if (!old || !now) {
    for (const [other, { summary }] of after.graph.skills) if (summary.agentSkill) yield other;
    return;
  }
  for (const { graph } of [before, after]) yield* longest(graph.skills.values());
}

/** Where there is no catalog, the longest description has the finding about the list. */
function longest(skills: Iterable<{ readonly uri: string; readonly summary: SkillSummary }>): readonly string[] {
  let uris: string[] = [];
  let most = 0;
  for (const { uri, summary } of skills) {
    const length = descriptionLength(summary);
    if (length > most) uris = [];
    if (length >= most && length > 0) uris.push(uri);
    most = Math.max(most, length);
  }
  return uris;
}

const descriptionLength = ({ agentSkill }: SkillSummary): number =>
  agentSkill?.keys.find(({ name }) => name === 'description')?.length.characters ?? 0;
