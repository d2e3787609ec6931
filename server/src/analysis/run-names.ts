/** The tools and interrupts of a skill and of all skills that it composes, which samples of the skill may name. */
import { type Contributions, effectiveContract } from '../workspace/effective-contract.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';
import { reachedBy } from './permissions.ts';

/** The names that a run of a skill can meet, each with the skill that declares it. */
export interface RunNames {
  /** The declared tools, and the skills with a backing service. */
  readonly tools: Contributions;
  readonly interrupts: Contributions;
  /** The interrupts of only the composed skills. */
  readonly interruptsOfComposed: Contributions;
  /** False if a composed skill is unknown, so that names may be missing. */
  readonly isComplete: boolean;
}

/**
 * Returns the names that a run of a skill of the index can meet (docs/format.md, section 2, "Stubs" and "Answers").
 * Never throws.
 */
export function runNames(analysis: Analysis, skill: IndexedSkill): RunNames {
  const { graph, operationOfTool } = analysis;
  const composed = reachedBy(analysis, skill);
  const { tools, interrupts } = effectiveContract([skill, ...composed], operationOfTool);
  const { interrupts: interruptsOfComposed } = effectiveContract(composed, operationOfTool);
  const isComplete = [skill, ...composed].every(
    (one) => !one.summary.broken && one.summary.composes.length === graph.composedSkillsOf(one).length,
  );
  return { tools, interrupts, interruptsOfComposed, isComplete };
}
