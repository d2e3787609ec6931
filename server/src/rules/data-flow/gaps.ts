/** Findings about a required value that the flow does not certainly contain. */

import { listedUpTo } from '../../analysis/composed-skills.ts';
import type { DataFlow, VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import { type Field, isAlwaysSet, labelOf, placeOf } from '../../analysis/data-flow/fields.ts';
import { type FlowValue, inFlow } from '../../analysis/data-flow/values.ts';
import type { Fix, RelatedLocation } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { candidatesFor, chooseAmong } from './candidates.ts';
import { givenElsewhere } from './data-cycles.ts';
import { adviceOn, conditionText, placeOfDoubt, removeCondition } from './doubt-fixes.ts';
import type { FlowProblem } from './flow-problem.ts';
import { addInput, requireInput } from './input-fixes.ts';
import { addMapping } from './mapping-fixes.ts';
import { addStep, runEarlier } from './run-earlier.ts';

/** Returns the problem with a required input for which the flow contains no value with the same name. */
export function gapOfInput(file: SkillFile, data: DataFlow, visit: VisitedStep, field: Field): FlowProblem {
  const { entry, flow } = visit;
  const requirement = requirementOf(entry.step, field);
  const map = ({ name }: FlowValue): Fix[] => addMapping(file, entry, 'input_mapping', name, field.name);
  const needed = placeOf(field, `\`${field.name}\` is required here`);
  const optional = flow.values.get(field.name);
  const { best, equals, shown } = chooseAmong(optional ? [] : candidatesFor(flow, field), field);
  if (equals.length > 0) {
    const fixes = [...equals.slice(0, 6).flatMap(map), ...addInput(file, field)];
    return ambiguous(entry.span, requirement, 'input_mapping', equals, [needed], fixes);
  }
  const [later] = optional ? [] : givenElsewhere(data, visit, field.name);
  // The author moves a step, and not its entry.
  const span = later ? visit.span : entry.span;
  const why = optional ? mayBeMissing(optional) : 'no input or earlier step provides it';
  const runs = data.visits.some((one) => one.entry === later?.entry);
  const inTime = later?.entry && (runs ? runEarlier(file, data, span, later.entry) : addStep(file, data, later.entry));
  return {
    rule: 'missing-required-field',
    ...(later?.entry && { awaits: later.entry.step }),
    draft: {
      span,
      message: `${requirement}, but ${why}. ${later ? adviceToRun(later, runs) : adviceOf(field, shown, optional)}`,
      related: [
        needed,
        ...placesOfAbsent(file, optional ?? []),
        ...placesOf(shown, 'matches'),
        ...placesOf(later ? [later] : [], 'is not available yet'),
      ],
      // With another value, the skill that never runs would be unused.
      fixes:
        later && !runs && inTime && inTime.length > 0
          ? inTime
          : [
              ...(inTime ?? []),
              ...(best ? map(best) : []),
              ...(optional ? requireAll(file, optional) : addInput(file, field)),
              ...(best ? [] : shown.flatMap(map)),
            ],
    },
  };
}

/** Returns the start of a sentence about an input that a step needs. */
const requirementOf = (step: string, field: Field): string =>
  `\`${step}\` requires \`${field.name}\` (\`${labelOf(field)}\`)${field.isForPrompt ? ' for its prompt' : ''}`;

const ambiguous = (
  span: Span,
  requirement: string,
  key: 'input_mapping' | 'output_mapping',
  values: readonly FlowValue[],
  places: readonly RelatedLocation[],
  fixes: readonly Fix[],
): FlowProblem => ({
  rule: 'ambiguous-field-mapping',
  draft: {
    span,
    message: `${requirement}, but several values match: ${listedUpTo(values.map(inFlow))}. Choose one with \`${key}\`.`,
    related: [...places, ...placesOf(values, 'matches')],
    fixes,
  },
});

const placesOf = (values: readonly FlowValue[], what: string): readonly RelatedLocation[] =>
  values.map((value) => placeOf(value.field, `${inFlow(value)} ${what}`));

/** Returns the doubt about the first value that is available only if certain steps run. */
const doubtIn = (values: readonly FlowValue[]): FlowValue['doubt'] =>
  values.find(({ field, doubt }) => doubt && isAlwaysSet(field))?.doubt;

function mayBeMissing(values: readonly FlowValue[]): string {
  const [first] = values.filter(({ field, doubt }) => doubt && isAlwaysSet(field));
  return first?.doubt
    ? `${inFlow(first)} is available ${conditionText(first.doubt)}`
    : `${listedUpTo(values.map(inFlow))} ${values.length === 1 ? 'is' : 'are'} optional`;
}

const placesOfAbsent = (file: SkillFile, values: readonly FlowValue[]): readonly RelatedLocation[] => {
  const doubt = doubtIn(values);
  return doubt ? placeOfDoubt(file, doubt) : placesOf(values, 'is optional');
};

/** Returns the fixes that make a value certain. Only an input of the composite can be made required in this file. */
function requireAll(file: SkillFile, values: readonly FlowValue[]): readonly Fix[] {
  const doubt = doubtIn(values);
  if (doubt) return values.length === 1 ? removeCondition(file, doubt) : [];
  return values.length === 1 ? values.flatMap(({ entry, name }) => (entry ? [] : requireInput(file, name))) : [];
}

const addDefault = ({ name }: Field): string => `add a default for \`${name}\` where it is used`;

const adviceToRun = ({ source }: FlowValue, runs: boolean): string =>
  runs ? `Run ${source} earlier: it provides the value.` : `Add a step for ${source}, which provides it.`;

function adviceOf(field: Field, shown: readonly FlowValue[], optional: readonly FlowValue[] | undefined): string {
  const doubt = optional && doubtIn(optional);
  if (doubt) return adviceOn(doubt, field.name, addDefault(field));
  if (optional) return 'Make it required, or add a default.';
  if (shown.length === 0) return 'Add it to the inputs, or compose a skill that provides it first.';
  return `Map a value to it with \`input_mapping\`, for example ${listedUpTo(shown.map(inFlow))}, or add an input.`;
}

/** Returns the problem with a required input whose value is optional. */
export function gapOfOptional(
  file: SkillFile,
  { entry }: VisitedStep,
  field: Field,
  { what, span, places, fixes, doubt, isItem }: Absent,
): FlowProblem {
  // A default of an item does not make a list longer.
  const otherwise = isItem ? 'allow a shorter list' : addDefault(field);
  const why = doubt
    ? `${what} is available ${conditionText(doubt)}. ${adviceOn(doubt, isItem ? undefined : field.name, otherwise)}`
    : `${what} is optional. Make it required, or ${isItem ? otherwise : 'add a default'}.`;
  return {
    rule: 'missing-required-field',
    draft: {
      span,
      message: `${requirementOf(entry.step, field)}, but ${why}`,
      related: [...(doubt ? placeOfDoubt(file, doubt) : places), placeOf(field, `\`${field.name}\` is required here`)],
      fixes: doubt ? removeCondition(file, doubt) : fixes,
    },
  };
}

/** A value that may be missing. `what` is the name of the value in the file. */
interface Absent {
  readonly what: string;
  readonly span: Span;
  readonly places: readonly RelatedLocation[];
  readonly fixes: readonly Fix[];
  /** True for an item of a list, which is too short without it. */
  readonly isItem?: boolean;
  readonly doubt: FlowValue['doubt'];
}

/** Returns the problem with a required output that the flow does not contain after the last step. */
export function gapOfOutput(file: SkillFile, { end, visits, output }: DataFlow, field: Field): FlowProblem {
  const { span } = field;
  const optional = end.values.get(field.name);
  // A value that another output or a step uses by name must keep its name.
  const taken = (value: FlowValue) =>
    output?.fields.some(({ name }) => name === value.name) ||
    visits.some(
      ({ flow, input }) =>
        flow.values.get(value.name)?.includes(value) && input?.fields.some(({ name }) => name === value.name),
    );
  const candidates = optional ? [] : candidatesFor(end, field).filter((value) => value.entry && !taken(value));
  const { equals, shown } = chooseAmong(candidates, field);
  const map = ({ entry, field: own }: FlowValue): Fix[] =>
    entry ? addMapping(file, entry, 'output_mapping', own.name, field.name) : [];
  const requirement = `The output \`${field.name}\` (\`${labelOf(field)}\`) is required`;
  if (equals.length > 0) {
    return ambiguous(span, requirement, 'output_mapping', equals, [], equals.slice(0, 6).flatMap(map));
  }
  const why = optional ? mayBeMissing(optional) : 'no step provides it';
  const doubt = optional && doubtIn(optional);
  const advice = doubt
    ? adviceOn(doubt, field.name, 'make the output optional')
    : optional
      ? 'Make that value required, or the output optional.'
      : shown.length > 0
        ? `Map a value to it with \`output_mapping\`, for example ${listedUpTo(shown.map(inFlow))}.`
        : 'Compose a skill that provides it, or make it optional.';
  return {
    rule: 'missing-required-field',
    draft: {
      span,
      message: `${requirement}, but ${why}. ${advice}`,
      related: [...placesOfAbsent(file, optional ?? []), ...placesOf(shown, 'matches')],
      fixes: [...(doubt ? requireAll(file, optional ?? []) : []), ...shown.flatMap(map)],
    },
  };
}
