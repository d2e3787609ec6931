/** Levels of skills, also of those that write none (docs/format.md, section 4). */
import type { ResolvedGraph } from './resolved-graph.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** A written level; else the one above the highest of the parts, 1 where there are none. May be above 3. */
export const levelOf = ({ summary }: IndexedSkill, partLevels: readonly number[]): number =>
  summary.level ?? partLevels.reduce((top, level) => Math.max(top, level + 1), summary.composes.length > 0 ? 2 : 1);

/** The levels of a skill and of all that it composes, by URI. Of a cycle the closing edge is left out. */
export function levelsOf(graph: ResolvedGraph, root: IndexedSkill): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  for (const skill of [...graph.closureOf(root), root]) {
    const parts = graph.partsOf(skill).flatMap((part) => levels.get(part.skill.uri) ?? []);
    levels.set(skill.uri, levelOf(skill, parts));
  }
  return levels;
}
