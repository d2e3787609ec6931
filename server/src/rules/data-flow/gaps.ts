/** Findings about a value in the data flow that is missing, unknown, or of another type. */

import { listedUpTo } from '../../analysis/composed-skills.ts';
import type { DataCycle, DataFlow, Flow, VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import {
  addInput,
  addMapping,
  adviceOn,
  conditionText,
  type Field,
  type FlowValue,
  findField,
  inFlow,
  isAlwaysSet,
  isAvailable,
  labelOf,
  pairsOf,
  placeOf,
  placeOfDoubt,
  relateFields,
  removeCondition,
  requireInput,
  type Side,
  UNCONDITIONAL,
} from '../../analysis/data-flow/values.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft, Fix, RelatedLocation } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import type { TypeClash } from '../../languages/schema/schema.ts';
import { moveItemUp } from '../../languages/yaml/edit.ts';
import { findValue, mapEntries, stringOf, type YamlList, type YamlNode } from '../../languages/yaml/node.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import { findSkillEntry, type SkillContract } from '../../skill/contract.ts';
import { referencesIn } from '../../skill/execution/execution.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';

export type FlowRule =
  | 'missing-required-field'
  | 'ambiguous-field-mapping'
  | 'type-mismatch'
  | 'format-mismatch'
  | 'circular-dependency'
  | 'parallel-outputs'
  | 'unused-mapping';

export interface FlowProblem {
  readonly rule: FlowRule;
  readonly draft: Draft;
}

/** The maximum number of values that are considered. */
const MAX_CANDIDATES = 50;

/** Returns the problem with a required input for which the flow contains no value with the same name. */
export function gapOfInput(file: SkillFile, data: DataFlow, visit: VisitedStep, field: Field): FlowProblem {
  const { entry, flow } = visit;
  const { span } = entry;
  const wants = `\`${entry.step}\` requires \`${field.name}\` (\`${labelOf(field)}\`)`;
  const map = ({ name }: FlowValue): Fix[] => addMapping(file, entry, 'input_mapping', name, field.name);
  const needed = placeOf(field, `\`${field.name}\` is required here`);
  const optional = flow.values.get(field.name);
  const { best, equals, shown } = chooseAmong(optional ? [] : candidatesFor(flow, field), field);
  if (equals.length > 0) {
    const fixes = [...equals.slice(0, 6).flatMap(map), ...addInput(file, field)];
    return ambiguous(span, wants, 'input_mapping', equals, [needed], fixes);
  }
  const [later] = optional ? [] : givenElsewhere(data, visit, field.name);
  const why = optional ? mayBeMissing(optional) : 'no input or earlier step provides it';
  return {
    rule: 'missing-required-field',
    draft: {
      span,
      message: `${wants}, but ${why}. ${adviceOf(field, shown, later, optional)}`,
      related: [
        needed,
        ...placesOfAbsent(file, optional ?? []),
        ...placesOf(shown, 'matches'),
        ...placesOf(later ? [later] : [], 'is not available yet'),
      ],
      fixes: [
        ...(later?.entry ? runEarlier(file, data, visit, later.entry) : []),
        ...(best ? map(best) : []),
        ...(optional ? requireAll(file, optional) : addInput(file, field)),
        ...(best ? [] : shown.flatMap(map)),
      ],
    },
  };
}

const ambiguous = (
  span: Span,
  wants: string,
  key: 'input_mapping' | 'output_mapping',
  values: readonly FlowValue[],
  places: readonly RelatedLocation[],
  fixes: readonly Fix[],
): FlowProblem => ({
  rule: 'ambiguous-field-mapping',
  draft: {
    span,
    message: `${wants}, but several values match: ${listedUpTo(values.map(inFlow))}. Choose one with \`${key}\`.`,
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

function adviceOf(
  field: Field,
  shown: readonly FlowValue[],
  later: FlowValue | undefined,
  optional: readonly FlowValue[] | undefined,
): string {
  const doubt = optional && doubtIn(optional);
  if (doubt) return adviceOn(doubt, field.name, addDefault(field));
  if (optional) return 'Make it required, or add a default.';
  if (later) return `Run ${later.source} earlier: it provides the value.`;
  if (shown.length === 0) return 'Add it to the inputs, or compose a skill that provides it first.';
  return `Map a value to it with \`input_mapping\`, for example ${listedUpTo(shown.map(inFlow))}, or add an input.`;
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

/** Returns the values with a given name that other steps provide. */
function givenElsewhere({ steps }: DataFlow, visit: VisitedStep, name: string): readonly FlowValue[] {
  return [...steps.values()].flatMap((step) => (step.entry === visit.entry ? [] : (step.gives.values.get(name) ?? [])));
}

/**
 * Returns whether a step lacks a value only because it begins a cycle of data, which `circularData` reports. `name` is
 * the name of the value in the flow.
 */
export const isInCycle = (data: DataFlow, visit: VisitedStep, name: string): boolean =>
  data.cycles.has(visit.entry) && givenElsewhere(data, visit, name).length > 0;

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

/** Returns the problem with a required input whose value is optional. */
export function gapOfOptional(
  file: SkillFile,
  { entry }: VisitedStep,
  field: Field,
  { what, span, places, fixes, doubt }: Absent,
): FlowProblem {
  const why = doubt
    ? `${what} is available ${conditionText(doubt)}. ${adviceOn(doubt, field.name, addDefault(field))}`
    : `${what} is optional. Make it required, or add a default.`;
  return {
    rule: 'missing-required-field',
    draft: {
      span,
      message: `\`${entry.step}\` requires \`${field.name}\` (\`${labelOf(field)}\`), but ${why}`,
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
  const wants = `The output \`${field.name}\` (\`${labelOf(field)}\`) is required`;
  if (equals.length > 0) {
    return ambiguous(span, wants, 'output_mapping', equals, [], equals.slice(0, 6).flatMap(map));
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
      message: `${wants}, but ${why}. ${advice}`,
      related: [...placesOfAbsent(file, optional ?? []), ...placesOf(shown, 'matches')],
      fixes: [...(doubt ? requireAll(file, optional ?? []) : []), ...shown.flatMap(map)],
    },
  };
}

/** Returns the values whose schema certainly matches a field, or no values if every value matches the field. */
function candidatesFor({ values }: Flow, field: Field): readonly FlowValue[] {
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

function chooseAmong(candidates: readonly FlowValue[], field: Field): Choice {
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

// The fix that runs a step earlier, so that its outputs are available in time.

type Entry = SkillContract['composes'][number];

/**
 * Returns the fix that moves the step of an entry before the step that needs its outputs, or no fix if the entry
 * depends on a step in between.
 */
function runEarlier(file: SkillFile, data: DataFlow, visit: VisitedStep, entry: Entry): readonly Fix[] {
  const list = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  const places = list && placesOfSteps(list, entry, visit.entry);
  if (!places || !mayRunBefore(file, data, visit, entry, places)) return [];
  const edits = moveItemUp(file.text, places.list, places.from, places.to);
  return fixHere(file, `Run \`${entry.step}\` before \`${visit.entry.step}\``, edits);
}

interface Places {
  readonly list: YamlList;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the positions of two steps in the outermost list; undefined if the first step is not directly in that list.
 */
function placesOfSteps(list: YamlNode, entry: Entry, before: Entry): Places | undefined {
  if (list.kind !== 'list') return undefined;
  const from = list.items.findIndex((item) => stringOf(findValue(item, 'step')) === entry.step);
  const to = list.items.findIndex((item) => runs(item, before.step));
  return from < 0 || to < 0 ? undefined : { list, from, to };
}

/** Returns whether a step runs in an item, at any depth. */
function runs(item: YamlNode, step: string): boolean {
  // A recursive search would overflow the stack if blocks are nested very deeply.
  const waiting = [item];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if ([findValue(at, 'step'), findValue(at, 'until')].some((name) => stringOf(name) === step)) return true;
    waiting.push(...(at.kind === 'list' ? at.items : mapEntries(at).map(({ value }) => value)));
  }
  return false;
}

function mayRunBefore(
  file: SkillFile,
  { visits }: DataFlow,
  visit: VisitedStep,
  entry: Entry,
  { list, from }: Places,
): boolean {
  const first = visits.indexOf(visit);
  const last = visits.findIndex((one) => one.entry === entry);
  const mover = visits[last];
  if (!mover || last < first) return false;
  const between = visits.slice(first, last);
  const item = list.items[from];
  const sources = new Set(referencesIn(file.text, item).map(({ source }) => source));
  if (between.some((one) => sources.has(one.entry.step))) return false;
  const mapped = new Map(pairsOf(entry.inputMapping).map(({ from: flow, to }) => [to, flow]));
  const bound = new Set((mover.inputs?.entries ?? []).map(({ key }) => String(key.value)));
  return (mover.input?.fields ?? []).every((field) => {
    const name = mapped.get(field.name) ?? field.name;
    if (
      bound.has(field.name) ||
      !field.isRequired ||
      visit.flow.values.get(name)?.some((one) => isAlwaysSet(one.field))
    ) {
      return true;
    }
    return !between.some((one) => one.gives.values.get(name));
  });
}

/**
 * Returns the problem with a value whose schema does not match a field. `what` is the name of the value in the message.
 */
export function clashBetween(
  what: string,
  from: Parameters<typeof relateFields>[0],
  field: Field,
  wants: string,
  span: Span,
  related: readonly RelatedLocation[],
  fixes: readonly Fix[] = [],
): FlowProblem | undefined {
  const verdict = relateFields(from, field);
  if (verdict.kind !== 'clash') return undefined;
  const worst = verdict.clashes.find(({ kind }) => kind !== 'format') ?? verdict.clashes[0];
  return problemOfClash(worst, messageOf(what, worst, wants, field.name), span, related, fixes);
}

export const problemOfClash = (
  { kind }: TypeClash,
  message: string,
  span: Span,
  related: readonly RelatedLocation[],
  fixes: readonly Fix[] = [],
): FlowProblem => ({
  rule: kind === 'format' ? 'format-mismatch' : 'type-mismatch',
  draft: { span, message, related, fixes },
});

/** Returns the message for a clash; `wants` is text such as "`rate-page` expects", `name` the name of the field. */
export function messageOf(what: string, { kind, path, from, to }: TypeClash, wants: string, name: string): string {
  const inner = path.length === 0 ? '' : ` at \`${pathIn(name, path)}\``;
  if (kind === 'missing') {
    const lacks =
      from === 'nothing' ? `has no \`${pathIn(name, path)}\`` : `has \`${pathIn(name, path)}\` only as \`${from}\``;
    return `${what} ${lacks}, but ${wants} \`${to}\` there. Add the field, or make it optional.`;
  }
  if (kind === 'format') {
    return `${what} is \`${from}\`${inner}, but ${wants} \`${to}\`. Declare the format where the value comes from, or map another value.`;
  }
  return `${what} is \`${from}\`${inner}, but ${wants} \`${to}\`. Map another value, or change one of the two schemas.`;
}

/** Returns a path such as `user.tags[].name`. */
export const pathIn = (name: string, path: TypeClash['path']): string =>
  path.reduce<string>(
    (text, step) =>
      step === '[]' || typeof step === 'number' ? `${text}[${step === '[]' ? '' : step}]` : `${text}.${step}`,
    name,
  );

/**
 * Returns the finding for an unknown name. `says` is the message without a period; `known` are the names to suggest.
 */
export function unknownName(
  file: SkillFile,
  span: Span,
  says: string,
  name: string,
  known: readonly string[],
): FlowProblem {
  const near = nearestNames(name, known);
  const advice = didYouMean(near) || (known.length > 0 ? ` Use ${inWords(known.slice(0, 8), 'or')}.` : ' It has none.');
  return {
    rule: 'type-mismatch',
    draft: { span, message: `${says}.${advice}`, fixes: replaceName(file, [span], near) },
  };
}

/** Returns whether an input or output certainly has no field with a name. */
export const lacks = (side: Side | undefined, name: string): side is Side =>
  side !== undefined && !side.isOpen && !findField(side, name);

export const namesOf = ({ fields }: Side): readonly string[] => fields.map(({ name }) => name);

/** Returns whether a field needs a value. */
export const requires = ({ isRequired, hasDefault }: Field): boolean => isRequired && !hasDefault;
