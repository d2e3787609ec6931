/** The tools and interrupts of a skill and of all skills that it composes, which samples of the skill may name. */
import { type Contributions, effectiveContract } from '../workspace/effective-contract.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';

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
export function runNames({ graph, operationOfTool }: Analysis, skill: IndexedSkill): RunNames {
  const closure = [skill, ...graph.closureOf(skill)];
  const entries = closure.map((one) => graph.composedSkillsOf(one));
  const adapters = entries.flat().flatMap(({ adapter }) => adapter ?? []);
  const composed = [...closure.slice(1), ...adapters];
  const { tools, interrupts } = effectiveContract([skill, ...composed], operationOfTool);
  const { interrupts: interruptsOfComposed } = effectiveContract(composed, operationOfTool);
  const isComplete = closure.every(
    ({ summary }, at) => !summary.broken && summary.composes.length === entries[at]?.length,
  );
  return { tools, interrupts, interruptsOfComposed, isComplete };
}
