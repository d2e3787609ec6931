/** The state of a target as a line of text. */
import type { PlannedSkill } from '../../../services/packing/plan-skills.ts';

/** Returns the state of a target in words. */
export const lineOf = (plan: PlannedSkill, shown: (path: string) => string): string =>
  withProblems(`${plan.state === 'failed' ? plan.path : shown(plan.path)}: ${plan.state}`, plan);

export const withProblems = (line: string, plan: PlannedSkill): string =>
  problemsIn(plan) === '' ? line : `${line}. ${problemsIn(plan)}`;

/** Returns the reason why a target is not written; else the originals that are gone; empty if there are none. */
export const problemsIn = ({ problem, gone }: PlannedSkill): string =>
  problem ?? gone.map((one) => one.problem).join(' ');
