/** Checks the data flow of a composite. The check runs once, and each rule selects its own findings. */
import type { Analysis } from '../../analysis/analysis.ts';
import { listedUpTo } from '../../analysis/composed-skills.ts';
import {
  type DataFlow,
  type Flow,
  type Race,
  readDataFlow,
  readsByName,
  type VisitedStep,
} from '../../analysis/data-flow/data-flow.ts';
import {
  type Field,
  type FlowValue,
  findField,
  type Guards,
  inFlow,
  isAlwaysSet,
  isAvailable,
  isReversed,
  labelOf,
  pairsOf,
  placeOf,
  relateFields,
  requireInput,
  UNCONDITIONAL,
} from '../../analysis/data-flow/values.ts';
import type { Draft } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { listItems } from '../../languages/yaml/node.ts';
import { nearestNames } from '../../nearest.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, sliceOf, span } from '../../text.ts';
import {
  circularData,
  clashBetween,
  type FlowProblem,
  type FlowRule,
  gapOfInput,
  gapOfOptional,
  gapOfOutput,
  isInCycle,
  lacks,
  mapAnother,
  namesOf,
  requires,
  unknownName,
} from './gaps.ts';
import { checkInputs, checkReferences } from './inputs.ts';

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
    // An alias such as `*name` has the faults of its anchor.
    const isAlias = file.text[problem.draft.span.start] === '*';
    const key = isAlias ? problem.draft.message : `${problem.draft.span.start} ${problem.draft.message}`;
    if (seen.has(key)) continue;
    seen.add(key).add(problem.draft.message);
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
  for (const race of data.races) {
    const problem = raceOf(file, data, race);
    if (problem) yield problem;
  }
  yield* checkUnusedPairs(file, data);
}

/**
 * Checks the inputs that neither `inputs` nor a mapping provides. An input without a mapping uses the value in the flow
 * with the same name.
 */
function* checkByName(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
  const { entry, flow, input } = visit;
  if (!input) return;
  const wants = `\`${entry.step}\` expects`;
  const mapped = pairsOf(entry.inputMapping).map((pair) => (isSwapped(visit, pair) ? pair.from : pair.to));
  const given = (visit.inputs?.entries ?? []).map(({ key }) => String(key.value));
  // A misspelt name explains that the input is missing.
  const misspelt = [...given, ...mapped]
    .filter((name) => lacks(input, name))
    .flatMap((name) => nearestNames(name, namesOf(input)));
  const bound = new Set([...mapped, ...given, ...misspelt]);
  for (const field of input.fields) {
    if (bound.has(field.name)) continue;
    const values = flow.values.get(field.name);
    if (isGap(values, flow.isOpen, field, visit.guards)) {
      if (!isInCycle(data, visit, field.name)) yield gapOfInput(file, data, visit, field);
    } else {
      const problem = firstClash(values ?? [], field, wants, entry.span);
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
    // If a parallel step writes a value that fits, `parallel-outputs` reports both.
    const isReported = value.isRaced && values.some((other) => other.isRaced && !clashOf(other, field, wants, span));
    if (problem && !isReported) return problem;
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

// Names in mappings: whether they exist, and whether their types match.

function* checkMappings(file: SkillFile, data: DataFlow, visit: VisitedStep): Iterable<FlowProblem> {
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

type Pair = ReturnType<typeof pairsOf>[number];

/** Returns whether a pair of an `input_mapping` maps an input of the step to a value in the flow. */
const isSwapped = ({ input, flow }: VisitedStep, pair: Pair): boolean =>
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
  const wants = `\`${visit.entry.step}\` expects`;
  return firstClash(values, field, wants, span);
}

// Values that replace each other (docs/format.md, section 4, "Data flow" and "Mappings").

/** Returns the problem with parallel steps that write the same name, if a later step or the output reads it. */
function raceOf(file: SkillFile, data: DataFlow, { name, values }: Race): FlowProblem | undefined {
  const writers = new Set(values.map(({ entry }) => entry));
  const [first, ...others] = data.visits.filter(({ entry }) => writers.has(entry));
  const second = others.find(({ entry }) => entry !== first?.entry);
  const isRaced = (flow: Flow): boolean =>
    (flow.values.get(name) ?? []).filter(({ isRaced, entry }) => isRaced && writers.has(entry)).length > 1;
  const reader = data.visits.find((visit) => isRaced(visit.flow) && readsFromFlow(visit, name));
  const output = isRaced(data.end) && data.output ? findField(data.output, name) : undefined;
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

const setsInput = ({ inputs }: VisitedStep, name: string): boolean =>
  inputs?.entries.some(({ key }) => key.value === name) === true;

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
function* checkUnusedPairs(file: SkillFile, data: DataFlow): Iterable<FlowProblem> {
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
