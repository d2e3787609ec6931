/** Names that are written in mappings, the `inputs` of steps and references: that there is one, and that its type fits. */
import type { RelatedPlace } from '../../../finding.ts';
import { type SchemaPart, typeAt } from '../../../languages/schema/schema.ts';
import { jsonOf, type YamlEntry } from '../../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../../nearest.ts';
import { referencesIn, type StepReference } from '../../../skill/execution/execution.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { Span } from '../../../text.ts';
import { replaceName } from '../name-fixes.ts';
import { visitExecution } from '../steps.ts';
import { clashBetween, firstClash } from './checks.ts';
import type { DataFlow, VisitedStep } from './data-flow.ts';
import { type FlowProblem, gapOfOptional } from './gaps.ts';
import {
  type Field,
  type FlowValue,
  findField,
  inFlow,
  isGiven,
  isSettled,
  isThere,
  pairsOf,
  placeOf,
  requireInput,
  type Side,
} from './values.ts';

/** A name that is written and that nothing has; `known` are the names to suggest from. */
function unknownName(file: SkillFile, span: Span, says: string, name: string, known: readonly string[]): FlowProblem {
  const near = nearestNames(name, known);
  const list = known.slice(0, 8).map((one) => `\`${one}\``);
  const advice = didYouMean(near) || (list.length > 0 ? ` There is ${list.join(', ')}.` : ' There is none at all.');
  return {
    rule: 'type-mismatch',
    draft: { span, message: `${says}.${advice}`, fixes: replaceName(file, [span], near) },
  };
}

const lacks = (side: Side | undefined, name: string): side is Side =>
  side !== undefined && !side.isOpen && !findField(side, name);

const namesOf = ({ fields }: Side): readonly string[] => fields.map(({ name }) => name);

export function* checkMappings(file: SkillFile, visit: VisitedStep): Iterable<FlowProblem> {
  const { entry, flow, input, output } = visit;
  for (const { from, to, fromSpan, toSpan } of pairsOf(entry.inputMapping)) {
    const values = flow.values.get(from);
    if (lacks(input, to)) {
      yield unknownName(file, toSpan, `\`${entry.name}\` has no input \`${to}\``, to, namesOf(input));
    } else if (!values && !flow.isOpen && input) {
      const says = `Nothing in the flow is called \`${from}\` when \`${entry.step}\` runs`;
      yield unknownName(file, fromSpan, says, from, [...flow.values.keys()]);
    } else {
      const field = input && findField(input, to);
      const problem = field && values && checkMapped(file, visit, field, values, fromSpan);
      if (problem) yield problem;
    }
  }
  for (const { from, fromSpan } of pairsOf(entry.outputMapping)) {
    if (!lacks(output, from)) continue;
    yield unknownName(file, fromSpan, `\`${entry.name}\` has no output \`${from}\``, from, namesOf(output));
  }
}

function checkMapped(
  file: SkillFile,
  visit: VisitedStep,
  field: Field,
  values: readonly FlowValue[],
  span: Span,
): FlowProblem | undefined {
  const [value] = values;
  if (value && requires(field) && !values.some((one) => isThere(one, visit.guards))) {
    const fixes = value.entry ? [] : requireInput(file, value.name);
    const places = [placeOf(value.field, `${inFlow(value)} is optional`)];
    const doubt = isGiven(value.field) ? value.doubt : undefined;
    return gapOfOptional(file, visit, field, { what: inFlow(value), span, places, fixes, doubt });
  }
  const wants = `\`${visit.entry.step}\` takes`;
  return firstClash(values, field, wants, span);
}

const requires = ({ isRequired, hasDefault }: Field): boolean => isRequired && !hasDefault;

/** The `inputs` of a step: names of its inputs, with constants and references. */
export function* checkInputs(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
  const { entry, input, inputs } = visit;
  for (const one of inputs?.entries ?? []) {
    const name = String(one.key.value);
    if (lacks(input, name)) {
      yield unknownName(file, one.key.span, `\`${entry.name}\` has no input \`${name}\``, name, namesOf(input));
      continue;
    }
    const field = input && findField(input, name);
    const problem = field && checkInput(file, data, visit, one, field);
    if (problem) yield problem;
  }
}

function checkInput(
  file: SkillFile,
  data: DataFlow,
  visit: VisitedStep,
  { value }: YamlEntry,
  field: Field,
): FlowProblem | undefined {
  const wants = `\`${visit.entry.step}\` takes`;
  const here = [{ uri: field.uri, span: field.span, message: `\`${field.name}\` has its type here` }];
  const references = referencesIn(file.text, value);
  const [reference] = references;
  if (!reference) {
    const constant: SchemaPart = { json: { const: jsonOf(value) }, root: {}, dialect: '2020-12' };
    return clashBetween('This', constant, field, wants, value.span, here);
  }
  // A reference within a text or a list is put together with the rest of it at run time.
  const isWhole = value.kind === 'scalar' && references.length === 1 && isAllOf(value.value, reference);
  const target = isWhole && !data.early.has(reference.span.start) ? findTarget(data, reference) : undefined;
  if (!target) return undefined;
  const what = `\`${textOf(reference)}\``;
  const doubt = reference.source === 'input' ? undefined : visit.flow.ran.get(reference.source);
  const isDoubtful = doubt !== undefined && !isSettled(doubt, visit.guards);
  if (requires(field) && (isDoubtful || !(target.isGiven || visit.guards.isConditional))) {
    const [name] = reference.source === 'input' ? reference.path : [];
    const fixes = name === undefined ? [] : requireInput(file, name);
    const absent = { what, span: reference.span, places: target.place, fixes };
    return gapOfOptional(file, visit, field, { ...absent, doubt: isDoubtful ? doubt : undefined });
  }
  return clashBetween(what, target.part, field, wants, reference.span, [...target.place, ...here]);
}

const textOf = ({ source, path }: StepReference): string => `$${[source, ...path].join('.')}`;

const isAllOf = (value: unknown, reference: StepReference): boolean =>
  typeof value === 'string' && value.trim() === textOf(reference);

interface Target {
  readonly part: SchemaPart;
  readonly isGiven: boolean;
  readonly place: readonly RelatedPlace[];
}

/** What a reference leads to; undefined where that is not known. */
function findTarget(data: DataFlow, { source, path }: StepReference): Target | undefined {
  const side = source === 'input' ? data.input : data.steps.get(source)?.output;
  const rest = source === 'input' ? path : path.slice(1);
  if (!side || (source !== 'input' && path[0] !== 'output')) return undefined;
  const { json: root, dialect } = side.schema;
  const [name, ...inner] = rest;
  if (name === undefined) return { part: { json: root, root, dialect }, isGiven: true, place: [] };
  const field = findField(side, name);
  if (!field) return undefined;
  const place = [{ uri: field.uri, span: field.span, message: `\`${name}\` comes from here` }];
  if (inner.length === 0) return { part: field, isGiven: isGiven(field), place };
  const found = typeAt({ json: root }, rest);
  return found && { part: { json: found.json, root, dialect }, isGiven: true, place };
}

/** References in `inputs` and in conditions to fields that do not exist. */
export function* checkReferences(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  for (const reference of visitExecution(file)?.references ?? []) {
    const { source, path, span } = reference;
    const step = data.steps.get(source);
    if (source !== 'input' && !step) continue;
    const side = source === 'input' ? data.input : step?.output;
    if (step && path[0] !== 'output') {
      const near = path[0] !== undefined && step.output && findField(step.output, path[0]);
      const right = `$${[source, 'output', ...(near ? path : path.slice(1))].join('.')}`;
      const message = `Of a step only its output can be read: write \`$${source}.output\` or \`$${source}.output.x\`.`;
      yield { rule: 'type-mismatch', draft: { span, message, fixes: replaceName(file, [span], [right]) } };
      continue;
    }
    const rest = source === 'input' ? path : path.slice(1);
    const [name] = rest;
    if (name === undefined || !side) continue;
    const whose = source === 'input' ? 'This skill has no input' : `\`${source}\` has no output`;
    if (lacks(side, name)) {
      const known = namesOf(side);
      const head = source === 'input' ? '$input' : `$${source}.output`;
      const rights = nearestNames(name, known).map((right) => [head, right, ...rest.slice(1)].join('.'));
      const problem = unknownName(file, span, `${whose} \`${name}\``, name, known);
      const fixes = replaceName(file, [span], rights);
      yield { ...problem, draft: { ...problem.draft, fixes } };
    }
  }
}
