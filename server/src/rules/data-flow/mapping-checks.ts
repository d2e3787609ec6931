/** Checks the names and the types in mappings, and reports pairs without effect. */

import { type DataFlow, setsInput, type VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import {
  type Field,
  findField,
  isAlwaysSet,
  lacks,
  namesOf,
  placeOf,
  requires,
} from '../../analysis/data-flow/fields.ts';
import { isReversed, type Pair, pairsOf } from '../../analysis/data-flow/mappings.ts';
import { type FlowValue, inFlow, isAvailable } from '../../analysis/data-flow/values.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { listItems } from '../../languages/yaml/node.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, sliceOf, span } from '../../text.ts';
import { firstClash } from './clashes.ts';
import { isInCycle } from './data-cycles.ts';
import type { FlowProblem } from './flow-problem.ts';
import { gapOfOptional } from './gaps.ts';
import { requireInput } from './input-fixes.ts';
import { unknownName } from './unknown-names.ts';

/** Checks the mappings of a step: whether their names exist, and whether the types match. */
export function* checkMappings(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
  const { entry, flow, input, output } = visit;
  for (const pair of pairsOf(entry.inputMapping)) {
    const { from, to, fromSpan, toSpan } = pair;
    const values = flow.values.get(from);
    // The `inputs` of the step take precedence.
    if (setsInput(visit, to)) continue;
    if (isSwapped(visit, pair)) {
      yield swapped(file, pair, '`input_mapping` maps values in the flow to inputs of the step.');
    } else if (lacks(input, to)) {
      yield unknownName(file, toSpan, `\`${entry.name}\` has no input \`${to}\``, to, namesOf(input));
    } else if (!values && !flow.isOpen && input) {
      if (isInCycle(data, visit, from)) continue;
      const says = `The flow has no value \`${from}\` when \`${entry.step}\` runs`;
      yield unknownName(file, fromSpan, says, from, [...flow.values.keys()]);
    } else {
      const field = input && findField(input, to);
      const problem = field && values && checkMapped(file, visit, field, values, fromSpan);
      if (problem) yield problem;
    }
  }
  for (const pair of pairsOf(entry.outputMapping)) {
    const { from, fromSpan } = pair;
    if (!lacks(output, from)) continue;
    if (isReversed(output, pair, 'output_mapping')) {
      yield swapped(file, pair, '`output_mapping` maps outputs of the step to names in the flow.');
      continue;
    }
    yield unknownName(file, fromSpan, `\`${entry.name}\` has no output \`${from}\``, from, namesOf(output));
  }
}

/** Returns whether a pair of an `input_mapping` maps an input of the step to a value in the flow. */
export const isSwapped = ({ input, flow }: VisitedStep, pair: Pair): boolean =>
  input !== undefined &&
  isReversed(input, pair, 'input_mapping') &&
  (flow.isOpen || flow.values.get(pair.to) !== undefined);

/** Returns the problem with a pair whose names are in the wrong order. */
function swapped(file: SkillFile, { from, to, fromSpan, toSpan }: Pair, rule: string): FlowProblem {
  const place = span(fromSpan.start, toSpan.end);
  const edits = [
    { span: fromSpan, newText: sliceOf(file.text, toSpan) },
    { span: toSpan, newText: sliceOf(file.text, fromSpan) },
  ];
  return {
    rule: 'type-mismatch',
    draft: {
      span: place,
      message: `${rule} Write \`${to}: ${from}\`.`,
      fixes: fixHere(file, `Replace with \`${to}: ${from}\``, edits),
    },
  };
}

function checkMapped(
  file: SkillFile,
  visit: VisitedStep,
  field: Field,
  values: readonly FlowValue[],
  span: Span,
): FlowProblem | undefined {
  const [value] = values;
  if (value && requires(field) && !values.some((one) => isAvailable(one, visit.guards))) {
    const fixes = value.entry ? [] : requireInput(file, value.name);
    const places = [placeOf(value.field, `${inFlow(value)} is optional`)];
    const doubt = isAlwaysSet(value.field) ? value.doubt : undefined;
    return gapOfOptional(file, visit, field, { what: inFlow(value), span, places, fixes, doubt });
  }
  const expectation = `\`${visit.entry.step}\` expects`;
  return firstClash(values, field, expectation, span, visit.guards);
}

/** Removes a pair of an `input_mapping`, and the whole mapping if it has no other pair. */
function removePair({ text, frontmatter }: SkillFile, { inputMapping, span: own }: ComposesEntry, from: string) {
  if (!inputMapping) return [];
  const items = listItems(findSkillEntry(frontmatter.tree.root, 'composes')?.value);
  const item = items.find((one) => contains(one.span, own));
  return inputMapping.entries.length === 1 && item?.kind === 'map'
    ? removeEntry(text, item, 'input_mapping')
    : removeEntry(text, inputMapping, from);
}

/** Reports pairs of an `input_mapping` without effect, because every step of the entry sets the input itself. */
export function* checkUnusedPairs(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  for (const entry of new Set(data.visits.map((visit) => visit.entry))) {
    const visits = data.visits.filter((visit) => visit.entry === entry);
    for (const { from, to, fromSpan, toSpan } of pairsOf(entry.inputMapping)) {
      if (!visits.every((visit) => setsInput(visit, to))) continue;
      const setter = visits.flatMap(({ inputs }) => inputs?.entries.filter(({ key }) => key.value === to) ?? []);
      const edits = removePair(file, entry, from);
      yield {
        rule: 'unused-mapping',
        draft: {
          span: span(fromSpan.start, toSpan.end),
          message: `The \`inputs\` of the step \`${entry.step}\` set \`${to}\`, so this mapping has no effect. Remove it.`,
          related: placesHere(
            file,
            setter.map(({ key }) => key),
            `\`${to}\` is set here`,
          ),
          tag: 'unnecessary',
          fixes: fixHere(file, `Remove \`${from}\` from \`input_mapping\``, edits),
        },
      };
    }
  }
}
