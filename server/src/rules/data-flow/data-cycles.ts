/** Cycles of data: steps that need each other's outputs. */

import { listedUpTo } from '../../analysis/composed-skills.ts';
import type { DataCycle, DataFlow, VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import type { FlowValue } from '../../analysis/data-flow/values.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { FlowProblem } from './flow-problem.ts';
import { addInput } from './input-fixes.ts';

/**
 * Returns whether a step lacks a value only because it begins a cycle of data, which `circularData` reports. `name` is
 * the name of the value in the flow.
 */
export const isInCycle = (data: DataFlow, visit: VisitedStep, name: string): boolean =>
  data.cycles.has(visit.entry) && givenElsewhere(data, visit, name).length > 0;

/** Returns the values with a given name that other steps provide. */
export function givenElsewhere({ steps }: DataFlow, visit: VisitedStep, name: string): readonly FlowValue[] {
  return [...steps.values()].flatMap((step) => (step.entry === visit.entry ? [] : (step.gives.values.get(name) ?? [])));
}

/** Returns the problem with a step that begins a cycle of data (docs/format.md, section 4, "Execution"). */
export function circularData(file: SkillFile, cycle: DataCycle, { entry, input }: VisitedStep): FlowProblem {
  const says = cycle.map((need) => `\`${need.entry.step}\` requires \`${need.name}\` of \`${need.from.step}\``);
  const [first] = cycle;
  const own = pairsOf(entry.inputMapping).find(({ from }) => from === first?.name)?.to ?? first?.name;
  const field = input?.fields.find(({ name }) => name === own);
  return {
    rule: 'circular-dependency',
    draft: {
      span: entry.span,
      message: `Circular data: ${listedUpTo(says, 4)}. Add one of these values to the inputs, or map another value.`,
      related: cycle
        .slice(1)
        .map((need, at) => ({ uri: file.uri, span: need.entry.span, message: says[at + 1] ?? need.name })),
      fixes: field && first ? addInput(file, { ...field, name: first.name }) : [],
    },
  };
}
