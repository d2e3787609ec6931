/** Findings about parallel steps that write the same name. */

import { listedUpTo } from '../../analysis/composed-skills.ts';
import {
  type DataFlow,
  type Flow,
  type Race,
  readsByName,
  setsInput,
  type VisitedStep,
} from '../../analysis/data-flow/data-flow.ts';
import { findField, labelOf, placeOf } from '../../analysis/data-flow/fields.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { FlowProblem } from './flow-problem.ts';

/** Returns the problem with parallel steps that write the same name, if a later step or the output reads it. */
export function raceOf(file: SkillFile, data: DataFlow, { name, values }: Race): FlowProblem | undefined {
  const writers = new Set(values.map(({ entry }) => entry));
  const [first, ...others] = data.visits.filter(({ entry }) => writers.has(entry));
  const second = others.find(({ entry }) => entry !== first?.entry);
  const isRaced = (flow: Flow): boolean =>
    (flow.values.get(name) ?? []).filter(({ isRaced, entry }) => isRaced && writers.has(entry)).length > 1;
  const reader = data.visits.find((visit) => isRaced(visit.flow) && readsFromFlow(visit, name));
  const output = data.isOutput && isRaced(data.end) && data.output ? findField(data.output, name) : undefined;
  if (!first || !second || (!reader && !output)) return undefined;
  const steps = listedUpTo([...writers].map((entry) => `\`${entry?.step}\``));
  const types = [...new Set(values.map(({ field }) => `\`${labelOf(field)}\``))];
  const as = types.length > 1 ? `, as ${listedUpTo(types)}` : '';
  const read = reader
    ? { uri: file.uri, span: reader.span, message: `\`${reader.entry.step}\` reads \`${name}\`` }
    : output && placeOf(output, `The output \`${name}\``);
  return {
    rule: 'parallel-outputs',
    draft: {
      span: second.span,
      message: `${steps} write \`${name}\` in parallel${as}, so the last one to end decides its value. Give one of them another name with \`output_mapping\`.`,
      related: [
        { uri: file.uri, span: first.span, message: `\`${first.entry.step}\` writes \`${name}\`, too` },
        ...(read ? [read] : []),
      ],
    },
  };
}

const readsFromFlow = (visit: VisitedStep, name: string): boolean =>
  readsByName(visit, name) ||
  pairsOf(visit.entry.inputMapping).some(({ from, to }) => from === name && !setsInput(visit, to));
