/** The files whose findings a `SKILL.md` may change beside its own, by what clients make of them together. */
import type { AgentSkillFacts } from '../skill/agent-skill-facts.ts';
import { same } from '../skill/same.ts';
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
  for (const { graph, catalogs } of [before, after]) {
    const folders = [...catalogs.keys()];
    const free = [...graph.skills.values()].filter(
      (skill) => !folders.some((folder) => skill.uri.startsWith(`${folder}/`)),
    );
    const longest = longestDescription(free.map(({ uri: at, summary }) => ({ uri: at, facts: summary.agentSkill })));
    if (longest !== undefined) yield longest;
  }
}

interface Described {
  readonly uri: string;
  readonly facts: AgentSkillFacts | undefined;
}

/** Where there is no catalog, this file has the finding about the list; of several the first by its URI. */
export function longestDescription(skills: Iterable<Described>): string | undefined {
  let longest: string | undefined;
  let most = 0;
  for (const { uri, facts } of skills) {
    const length = facts?.keys.find(({ name }) => name === 'description')?.length.characters ?? 0;
    if (length < most || length === 0 || (length === most && longest !== undefined && longest < uri)) continue;
    [longest, most] = [uri, length];
  }
  return longest;
}
