/** Composites and the sums of their parts' budgets, for lenses, hints and hovers. */
import type { Analysis } from '../analysis/analysis.ts';
import { type Measure, type RollUp, rollUp } from '../workspace/budgets.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';

/** The skill of a file if it composes others; undefined for any other, and while files are still being read. */
export function findComposite({ graph, partial }: Analysis, uri: string): IndexedSkill | undefined {
  const skill = partial ? undefined : graph.skills.get(uri);
  return skill && !skill.summary.broken && skill.summary.composes.length > 0 ? skill : undefined;
}

/** Whether a skill composes itself, directly or not, or a skill that does; its budgets have no sum. */
export function hasCycle({ graph }: Analysis, skill: IndexedSkill): boolean {
  const wayBack = graph.waysBackOf(skill);
  return [skill, ...graph.closureOf(skill)].some(({ uri }) => wayBack(uri));
}

/** What the parts of a skill add up to; undefined where no part declares the measure. */
export function findRollUp({ graph }: Analysis, skill: IndexedSkill, measure: Measure): RollUp | undefined {
  const rolled = rollUp(graph, skill, measure);
  return rolled.steps.length > 0 && Number.isFinite(rolled.total) ? rolled : undefined;
}
