/** The values in the flow that may provide a field, because their schemas match it. */

import type { Flow, VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import { UNCONDITIONAL } from '../../analysis/data-flow/doubts.ts';
import { type Field, relateFields } from '../../analysis/data-flow/fields.ts';
import { type FlowValue, isAvailable } from '../../analysis/data-flow/values.ts';
import type { Fix } from '../../finding.ts';
import { nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { addMapping } from './mapping-fixes.ts';

/** The maximum number of values that are considered. */
const MAX_CANDIDATES = 50;

/** Returns the values whose schema certainly matches a field, or no values if every value matches the field. */
export function candidatesFor({ values }: Flow, field: Field): readonly FlowValue[] {
  if (relateFields({ ...field, json: {} }, field).kind === 'assignable') return [];
  return [...values.values()]
    .slice(0, MAX_CANDIDATES)
    .flatMap((list) => (list.length === 1 ? list : []))
    .filter((value) => isAvailable(value, UNCONDITIONAL) && relateFields(value.field, field).kind === 'assignable');
}

interface Choice {
  /** The most likely value; undefined if several values are equally likely. */
  readonly best: FlowValue | undefined;
  /** The equally likely values; empty if one value is more likely than all others. */
  readonly equals: readonly FlowValue[];
  /** The values to name in a message. */
  readonly shown: readonly FlowValue[];
}

export function chooseAmong(candidates: readonly FlowValue[], field: Field): Choice {
  const names = candidates.map(({ name }) => name);
  const near = nearestNames(field.name, names, 1);
  const score = ({ name, field: { description } }: FlowValue): number =>
    (field.description !== undefined && description === field.description ? 2 : 0) + (near.includes(name) ? 1 : 0);
  const top = Math.max(0, ...candidates.map(score));
  const likeliest = candidates.filter((value) => score(value) === top);
  if (likeliest.length === 1) return { best: likeliest[0], equals: [], shown: likeliest };
  const equals = likeliest.filter((value) => likeliest.some((other) => other !== value && isAlike(value, other)));
  return { best: undefined, equals, shown: candidates.slice(0, 6) };
}

/** Returns whether two values have the same description or the same format. */
function isAlike({ field: a }: FlowValue, { field: b }: FlowValue): boolean {
  if (a.description !== undefined && a.description === b.description) return true;
  const format = formatOf(a);
  return format !== undefined && format === formatOf(b);
}

function formatOf({ json }: Field): unknown {
  return typeof json === 'object' && json !== null && 'format' in json ? json.format : undefined;
}

/**
 * Returns the most likely fixes that map another value to an input if the value with the input's own name has the wrong
 * type.
 */
export function mapAnother(file: SkillFile, { entry, flow }: VisitedStep, field: Field): readonly Fix[] {
  const { equals, shown } = chooseAmong(candidatesFor(flow, field), field);
  const values = equals.length > 0 ? equals : shown;
  return values.slice(0, 3).flatMap(({ name }) => addMapping(file, entry, 'input_mapping', name, field.name));
}
