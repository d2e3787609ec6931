/** The files whose findings a `SKILL.md` may change beside its own, by what clients make of them together. */
import { hasSameWords } from '../agent-skills/around.ts';
import { same } from '../skill/same.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import type { Analysis } from './analysis.ts';

/** One that goes by other names, comes or goes changes who is meant; each one, how full the lists of clients are. */
export function* besideAgentSkill(before: Analysis, after: Analysis, uri: string): Iterable<string> {
  const [old, now] = [before.agentSkills.find(uri), after.agentSkills.find(uri)];
  if (old === now) return;
  if (!same(before.agentSkills.owners, after.agentSkills.owners)) {
    for (const { uri: other } of after.agentSkills.subjects) yield other;
    for (const { uri: catalog } of after.index.catalogs.values()) yield catalog;
    return;
  }
  const catalog = after.findCatalog(uri)?.uri;
  if (catalog !== undefined) yield catalog;
  else {
    for (const { listings } of [before, after]) {
      const longest = listings.longestBeside(uri);
      if (longest !== undefined) yield longest;
    }
  }
  if (old && now && hasSameWords(old, now)) return;
  for (const { uri: other } of old ? before.agentSkills.like(old) : []) yield other;
  for (const { uri: other } of now ? after.agentSkills.like(now) : []) yield other;
  if (old && now) return;
  // What lies below the folder of a skill belongs to that one.
  const folder = `${folderOf(uri)}/`;
  for (const { uri: other } of after.agentSkills.subjects) if (other.startsWith(folder)) yield other;
}
