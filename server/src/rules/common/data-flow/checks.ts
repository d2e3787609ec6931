/** Checks the data flow of a composite. The check runs once, and each of the four rules selects its own findings. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { Draft, Fix, RelatedLocation } from '../../../finding.ts';
import { type SchemaPart, type TypeClash, typeAt } from '../../../languages/schema/schema.ts';
import { jsonOf, type YamlEntry } from '../../../languages/yaml/node.ts';
import { didYouMean, inWords, nearestNames } from '../../../nearest.ts';
import { referencesIn, type StepReference } from '../../../skill/execution/execution.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { Span } from '../../../text.ts';
import { replaceName } from '../name-fixes.ts';
import { visitExecution } from '../steps.ts';
import { type DataFlow, type Flow, readDataFlow, type VisitedStep } from './data-flow.ts';
import {
  circularData,
  type FlowProblem,
  type FlowRule,
  gapOfInput,
  gapOfOptional,
  gapOfOutput,
  isInCycle,
  mapAnother,
} from './gaps.ts';
import {
  type Field,
  type FlowValue,
  findField,
  type Guards,
  inFlow,
  isAlwaysSet,
  isAvailable,
  isGuarded,
  pairsOf,
  placeOf,
  relateFields,
  requireInput,
  type Side,
  UNCONDITIONAL,
} from './values.ts';

/** The limit for problems in one file, so that no file can make a check slow. */
const MAX_PROBLEMS = 500;

/** Returns the findings of one data-flow rule. */
export const draftsOfFlow = (analysis: Analysis, file: SkillFile, rule: FlowRule): readonly Draft[] =>
  analysis.derive(file, checkDataFlow).flatMap((problem) => (problem.rule === rule ? [problem.draft] : []));

function checkDataFlow(file: SkillFile, analysis: Analysis): readonly FlowProblem[] {
  const data = readDataFlow(analysis, file);
  if (!data) return [];
  const problems: FlowProblem[] = [];
  // If a step occurs twice, its problems are reported only once.
  const seen = new Set<string>();
  for (const problem of problemsOf(file, data)) {
    const key = `${problem.draft.span.start} ${problem.draft.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (problems.push(problem) >= MAX_PROBLEMS) break;
  }
  return problems;
}

function* problemsOf(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  yield* checkReferences(file, data);
  for (const visit of data.visits) {
    const cycle = data.cycles.get(visit.entry);
    if (cycle) yield circularData(file, cycle, visit);
    yield* checkMappings(file, data, visit);
    yield* checkInputs(file, data, visit);
    yield* checkByName(file, data, visit);
  }
  yield* checkOutputs(file, data);
}

/**
 * Checks the inputs that neither `inputs` nor a mapping provides. An input without a mapping uses the value in the flow
 * with the same name.
 */
function* checkByName(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
  const { entry, flow, input } = visit;
  if (!input) return;
  const wants = `\`${entry.step}\` expects`;
  const mapped = pairsOf(entry.inputMapping).map(({ to }) => to);
  const bound = new Set([...mapped, ...(visit.inputs?.entries ?? []).map(({ key }) => String(key.value))]);
  for (const field of input.fields) {
    if (bound.has(field.name)) continue;
    const given = flow.values.get(field.name);
    if (isGap(given, flow.isOpen, field, visit.guards)) {
      if (!isInCycle(data, visit, field.name)) yield gapOfInput(file, data, visit, field);
    } else {
      const problem = firstClash(given ?? [], field, wants, entry.span);
      if (problem) yield { ...problem, draft: { ...problem.draft, fixes: mapAnother(file, visit, field) } };
    }
  }
}

function* checkOutputs(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  for (const field of data.output?.fields ?? []) {
    const given = data.end.values.get(field.name);
    if (isGap(given, data.end.isOpen, field, UNCONDITIONAL)) yield gapOfOutput(file, data, field);
    else {
      const problem = firstClash(given ?? [], field, 'the output must be', field.span);
      if (problem) yield problem;
    }
  }
}

/** The values in the flow that have the name of a field. */
type Given = ReturnType<Flow['values']['get']>;

/** Returns whether a field is required although the flow possibly contains no value with its name. */
const isGap = (given: Given, isOpen: boolean, { isRequired, hasDefault }: Field, guards: Guards): boolean =>
  isRequired && !hasDefault && !isOpen && !given?.some((value) => isAvailable(value, guards));

// Values in the flow whose type does not match the input or output that uses them.

/**
 * Returns the problem with the first value that does not match a field. `wants` is text such as "`rate-page` expects".
 */
function firstClash(values: readonly FlowValue[], field: Field, wants: string, span: Span): FlowProblem | undefined {
  for (const value of values) {
    const problem = clashOf(value, field, wants, span);
    if (problem) return problem;
  }
  return undefined;
}

function clashOf(value: FlowValue, field: Field, wants: string, span: Span): FlowProblem | undefined {
  if (relateFields(value.field, field).kind !== 'clash') return undefined;
  const related = [
    placeOf(value.field, `\`${value.field.name}\` comes from here`),
    placeOf(field, `The type of \`${field.name}\``),
  ].filter((place) => place.span !== span);
  return clashBetween(inFlow(value), value.field, field, wants, span, related);
}

/**
 * Returns the problem with a value whose schema does not match a field. `what` is the name of the value in the message.
 */
function clashBetween(
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
  return {
    rule: worst.kind === 'format' ? 'format-mismatch' : 'type-mismatch',
    draft: { span, message: messageOf(what, worst, wants, field.name), related, fixes },
  };
}

function messageOf(what: string, { kind, path, from, to }: TypeClash, wants: string, name: string): string {
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
const pathIn = (name: string, path: TypeClash['path']): string =>
  path.reduce<string>(
    (text, step) =>
      step === '[]' || typeof step === 'number' ? `${text}[${step === '[]' ? '' : step}]` : `${text}.${step}`,
    name,
  );

// Names in mappings, in the `inputs` of steps and in references: whether they exist, and whether their types match.

/**
 * Returns the finding for an unknown name. `says` is the message without a period; `known` are the names to suggest.
 */
function unknownName(file: SkillFile, span: Span, says: string, name: string, known: readonly string[]): FlowProblem {
  const near = nearestNames(name, known);
  const advice = didYouMean(near) || (known.length > 0 ? ` Use ${inWords(known.slice(0, 8), 'or')}.` : ' It has none.');
  return {
    rule: 'type-mismatch',
    draft: { span, message: `${says}.${advice}`, fixes: replaceName(file, [span], near) },
  };
}

const lacks = (side: Side | undefined, name: string): side is Side =>
  side !== undefined && !side.isOpen && !findField(side, name);

const namesOf = ({ fields }: Side): readonly string[] => fields.map(({ name }) => name);

function* checkMappings(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
  const { entry, flow, input, output } = visit;
  for (const { from, to, fromSpan, toSpan } of pairsOf(entry.inputMapping)) {
    const values = flow.values.get(from);
    if (lacks(input, to)) {
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
  if (value && requires(field) && !values.some((one) => isAvailable(one, visit.guards))) {
    const fixes = value.entry ? [] : requireInput(file, value.name);
    const places = [placeOf(value.field, `${inFlow(value)} is optional`)];
    const doubt = isAlwaysSet(value.field) ? value.doubt : undefined;
    return gapOfOptional(file, visit, field, { what: inFlow(value), span, places, fixes, doubt });
  }
  const wants = `\`${visit.entry.step}\` expects`;
  return firstClash(values, field, wants, span);
}

const requires = ({ isRequired, hasDefault }: Field): boolean => isRequired && !hasDefault;

/** Checks the `inputs` of a step, which map names of inputs to constants and references. */
function* checkInputs(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
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
  const wants = `\`${visit.entry.step}\` expects`;
  const here = [{ uri: field.uri, span: field.span, message: `The type of \`${field.name}\`` }];
  const references = referencesIn(file.text, value);
  const [reference] = references;
  if (!reference) {
    const constant: SchemaPart = { json: { const: jsonOf(value) }, root: {}, dialect: '2020-12' };
    return clashBetween('The value', constant, field, wants, value.span, here);
  }
  // If a string or a list contains a reference among other text, its value is known only at run time.
  const isWhole = value.kind === 'scalar' && references.length === 1 && isAllOf(value.value, reference);
  const target = isWhole && !data.early.has(reference.span.start) ? findTarget(data, reference) : undefined;
  if (!target) return undefined;
  const what = `\`${textOf(reference)}\``;
  const doubt = reference.source === 'input' ? undefined : visit.flow.ran.get(reference.source);
  const isDoubtful = doubt !== undefined && !isGuarded(doubt, visit.guards);
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
  readonly place: readonly RelatedLocation[];
}

/** Returns the target of a reference; undefined if the target is not known. */
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
  if (inner.length === 0) return { part: field, isGiven: isAlwaysSet(field), place };
  const found = typeAt({ json: root }, rest);
  return found && { part: { json: found.json, root, dialect }, isGiven: true, place };
}

/** Reports references to missing fields, in `inputs` and in conditions. */
function* checkReferences(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
  for (const reference of visitExecution(file)?.references ?? []) {
    const { source, path, span } = reference;
    const step = data.steps.get(source);
    if (source !== 'input' && !step) continue;
    const side = source === 'input' ? data.input : step?.output;
    if (step && path[0] !== 'output') {
      const near = path[0] !== undefined && step.output && findField(step.output, path[0]);
      const right = `$${[source, 'output', ...(near ? path : path.slice(1))].join('.')}`;
      const message = `Only the output of a step can be read. Write \`$${source}.output\` or \`$${source}.output.x\`.`;
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
