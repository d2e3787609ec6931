/**
 * The values in the flow of a composite before each of its steps (docs/format.md, section 4, "Data flow"): its own
 * inputs, and the outputs of earlier steps after their `output_mapping`. Parallel steps cannot use each other's
 * outputs.
 */
import { Map as PersistentMap } from 'immutable';
import { fieldAt } from '../../languages/schema/schema.ts';
import { listItems, type YamlMap } from '../../languages/yaml/node.ts';
import { plainName } from '../../skill/conditions.ts';
import { type ComposesEntry, findSkillEntry, isComposite } from '../../skill/contract.ts';
import {
  bareStep,
  type ExecutionArm,
  type ExecutionNode,
  type ExecutionStep,
  type Guard,
  readExecution,
} from '../../skill/execution/execution.ts';
import { executionProblems } from '../../skill/execution/execution-problems.ts';
import { readExit } from '../../skill/execution/exit.ts';
import { stepNameProblems } from '../../skill/execution/name-problems.ts';
import { visitExecution } from '../../skill/execution/steps.ts';
import { hasLoop } from '../../skill/package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span } from '../../text.ts';
import { isSkillDialect } from '../../vocabulary/dialect.ts';
import { dataOrderOf } from '../../workspace/order.ts';
import { giverOf } from '../../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import type { Analysis } from '../analysis.ts';
import { composedSkills, resolvedSkill } from '../composed-skills.ts';
import { coverEverything } from './coverage.ts';
import { type Doubt, type DoubtfulExit, type Guards, UNCONDITIONAL, type ValueAt } from './doubts.ts';
import { type Field, findField, isAlwaysSet, type Side, type Sides, sidesOf } from './fields.ts';
import { isReversed, pairsOf } from './mappings.ts';
import { isGuardedIn } from './narrowing.ts';
import { promptNeeds, withPromptNeeds } from './prompt-needs.ts';
import { StepCondition } from './step-condition.ts';
import { type FlowValue, isAvailable } from './values.ts';

/** The values by name: a persistent map for a flow, or a plain map for the outputs of one step. */
type Values = Pick<ReadonlyMap<string, readonly FlowValue[]>, 'get' | typeof Symbol.iterator>;

export interface Flow {
  /** The values by name. A name has several values if the choice between the values is made at run time. */
  readonly values: PersistentMap<string, readonly FlowValue[]>;
  /** The steps that have run, each with the reason why it might not have run; undefined if it has certainly run. */
  readonly ran: PersistentMap<string, Doubt | undefined>;
  /** True if an unknown step may have added values. */
  readonly isOpen: boolean;
}

/** A composed skill as a step. An unknown `input` or `output` is undefined. */
export interface FlowStep {
  readonly entry: ComposesEntry;
  readonly input: Side | undefined;
  readonly output: Side | undefined;
  /** The outputs of the skill by name in the flow. */
  readonly gives: StepOutputs;
  /** The exit with which the skill may end without its outputs. */
  readonly exit: DoubtfulExit | undefined;
}

export interface VisitedStep extends FlowStep {
  /** The flow before the step. */
  readonly flow: Flow;
  readonly inputs: YamlMap | undefined;
  readonly guards: Guards;
  /** The span of the step's name in `execution`, or of the entry without an `execution`. */
  readonly span: Span;
}

/** Steps of one parallel group that write the same name to the flow, and may do so in the same run. */
export interface Race {
  readonly name: string;
  readonly values: readonly FlowValue[];
}

export interface DataFlow {
  /** The input of the composite. */
  readonly input: Side | undefined;
  readonly output: Side | undefined;
  /** True if the flow is the output; false if a model or a service makes it (docs/composer.md, step 5). */
  readonly isOutput: boolean;
  /** All composed skills by step name, including those that no step in `execution` runs. */
  readonly steps: ReadonlyMap<string, FlowStep>;
  /** The steps in the order in which they run. */
  readonly visits: readonly VisitedStep[];
  /** The flow after the last step. */
  readonly end: Flow;
  readonly races: readonly Race[];
  /** The offsets of references to steps that have not run yet, which `step-order` reports. */
  readonly early: ReadonlySet<number>;
  /** Returns whether a step may not have run when the condition at an offset is evaluated. */
  readonly mayLack: (condition: number, step: string) => boolean;
  /** The cycles of data, by the first entry of each cycle; empty with an `execution`. */
  readonly cycles: ReadonlyMap<ComposesEntry, DataCycle>;
}

/** The needs that form a cycle of data: `entry` requires the value `name`, which `from` provides. */
export type DataCycle = readonly {
  readonly entry: ComposesEntry;
  readonly name: string;
  readonly from: ComposesEntry;
}[];

/**
 * Returns the data flow of a composite; undefined if the skill composes no skills, composes itself or cannot run, and
 * while files are still being read.
 */
export const readDataFlow = (analysis: Analysis, file: SkillFile): DataFlow | undefined =>
  analysis.derive(file, makeDataFlow);

function makeDataFlow(file: SkillFile, analysis: Analysis): DataFlow | undefined {
  const { composes } = file.contract;
  const root = resolvedSkill(analysis, file);
  if (!root || composes.length === 0 || !isComposite(file.contract) || !hasSoundExecution(file)) return undefined;
  const composed = composedSkills(analysis, file);
  const wayBack = analysis.graph.waysBackOf(root);
  if (composed.some(({ skill }) => wayBack(skill.uri))) return undefined;
  const uses = new Map(composed.map((use) => [composes[use.entry], use]));
  const steps = new Map<string, FlowStep>();
  for (const entry of composes) {
    const use = uses.get(entry);
    const misspelt = misspeltMappings(file, entry);
    const input = use && withPromptNeeds(sidesIn(analysis, use.skill)?.input, promptNeeds(analysis, use.skill.uri));
    const giver = use && giverOf(use);
    const output = giver && sidesIn(analysis, giver)?.output;
    const gives = outputsOf(entry, output);
    steps.set(entry.step, {
      entry,
      input: misspelt.includes('input_mapping') ? undefined : input,
      output,
      gives: misspelt.includes('output_mapping') ? { ...gives, isOpen: true } : gives,
      exit: use && [use.skill, ...(giver ? [giver] : [])].flatMap((one) => doubtfulExit(analysis, one) ?? [])[0],
    });
  }
  const own = sidesOf(file);
  const walk: Walk = { input: own.input, steps, visits: [], races: [], conditions: new Map() };
  const start: Flow = {
    values: PersistentMap((own.input?.fields ?? []).map((field) => [field.name, [inputValue(field)]])),
    ran: PersistentMap(),
    isOpen: !own.input || own.input.isOpen,
  };
  const { nodes, cycles } = planOf(file, analysis.graph, root);
  const { flow: end } = visitAll(nodes, start, walk, UNCONDITIONAL);
  const early = earlyReferences(file);
  const isOutput = isFlowOutput(file.dialect, file.contract);
  const mayLack = (condition: number, step: string): boolean => {
    const { flow, guards, guard } = walk.conditions.get(condition) ?? {};
    const doubt = flow?.ran.get(step);
    return doubt !== undefined && guards !== undefined && guard !== undefined && !isGuardedIn(doubt, guards, guard);
  };
  const { visits, races } = walk;
  return { input: own.input, output: own.output, isOutput, steps, visits, end, races, early, mayLack, cycles };
}

/** Returns whether the flow of a skill is its output, because neither a model nor a service makes the output. */
const isFlowOutput = (dialect: SkillFile['dialect'], contract: SkillFile['contract']): boolean =>
  isSkillDialect(dialect) && !contract.backed && !hasLoop({ ...contract, dialect });

/** Returns the exit of a skill that may end without an output that matches its schema; undefined for other skills. */
export const doubtfulExit = (analysis: Analysis, { uri }: IndexedSkill): DoubtfulExit | undefined =>
  analysis.keep(doubtfulExit, uri, exitOf);

function exitOf({ uri, dialect, contract, frontmatter }: SkillFile): DoubtfulExit | undefined {
  const entry = dialect === 'agent-skill' ? undefined : findSkillEntry(frontmatter.tree.root, 'exit');
  const { exit, problems } = readExit(entry && frontmatter.tree.root, contract);
  if (!entry || problems.length > 0 || exit.on === 'output_schema') return undefined;
  // The steps of a composite without a body certainly give its outputs, unless an interrupt ends it before.
  if (exit.on !== 'interrupt' && isFlowOutput(dialect, contract)) return undefined;
  return { on: exit.on, uri, span: entry.span };
}

/** Returns the mappings of an entry whose key is misspelt. `unknown-key` reports the keys. */
function misspeltMappings({ problems, frontmatter }: SkillFile, { span: own }: ComposesEntry): readonly string[] {
  const unknown = problems.filter(({ kind, depth }) => kind === 'unknown-key' && depth > 0);
  if (unknown.length === 0) return [];
  const items = listItems(findSkillEntry(frontmatter.tree.root, 'composes')?.value);
  const item = items.find((one) => contains(one.span, own));
  return unknown.filter(({ span: place }) => item && contains(item.span, place)).flatMap(({ meant }) => meant ?? []);
}

const sidesIn = (analysis: Analysis, { uri }: IndexedSkill): Sides | undefined => analysis.keep(sidesIn, uri, sidesOf);

/** Returns whether the steps can run, so that the order in which they run is known. */
export function hasSoundExecution(file: SkillFile): boolean {
  if (stepNameProblems(file).length > 0) return false;
  const execution = findSkillEntry(file.frontmatter.tree.root, 'execution');
  if (!execution) return true;
  const isHere = ({ kind, span }: (typeof file.problems)[number]) =>
    kind !== 'unknown-key' && contains(execution.span, span);
  return executionProblems(file).length === 0 && !file.problems.some(isHere);
}

const earlyReferences = (file: SkillFile): ReadonlySet<number> =>
  new Set(
    (visitExecution(file)?.references ?? []).flatMap(({ source, ran, span }) =>
      source === 'input' || ran.has(source) ? [] : [span.start],
    ),
  );

const inputValue = (field: Field): FlowValue => ({
  name: field.name,
  field,
  source: 'the inputs',
  entry: undefined,
  doubt: undefined,
});

interface Plan {
  readonly nodes: readonly ExecutionNode[];
  readonly cycles: DataFlow['cycles'];
}

/** Returns the steps in `execution`, or the entries of `composes` in the order of their data without `execution`. */
function planOf({ text, frontmatter, contract }: SkillFile, graph: Analysis['graph'], root: IndexedSkill): Plan {
  const execution = findSkillEntry(frontmatter.tree.root, 'execution')?.value;
  if (execution?.kind === 'list') return { nodes: readExecution(text, execution), cycles: new Map() };
  const { groups, cycles } = dataOrderOf(graph, root);
  const entries = (indices: readonly number[]) => indices.flatMap((at) => contract.composes[at] ?? []);
  const nodes = entries(groups.flat()).map(({ step, span }): ExecutionNode => bareStep({ name: step, span }));
  const needs = cycles.map((cycle) =>
    cycle.flatMap(({ entry: at, name, from: provider }) => {
      const [entry, from] = entries([at, provider]);
      return entry && from ? [{ entry, name, from }] : [];
    }),
  );
  return { nodes, cycles: new Map(needs.flatMap((cycle) => (cycle[0] ? [[cycle[0].entry, cycle]] : []))) };
}

interface Walk {
  readonly input: Side | undefined;
  readonly steps: ReadonlyMap<string, FlowStep>;
  readonly visits: VisitedStep[];
  readonly races: Race[];
  /** The flow before each condition, and the conditions around it, by the offset of the condition. */
  readonly conditions: Map<number, { readonly flow: Flow; readonly guards: Guards; readonly guard: StepCondition }>;
}

/** Returns a condition, and notes the flow before it. */
function conditionIn({ conditions }: Walk, guard: Guard | undefined, flow: Flow, guards: Guards) {
  if (!guard) return undefined;
  const condition = new StepCondition(guard);
  conditions.set(guard.span.start, { flow, guards, guard: condition });
  return condition;
}

/** The values and steps that a list of steps adds to a flow. */
interface Added {
  readonly values: Values;
  readonly ran: ReadonlyMap<string, Doubt | undefined> | PersistentMap<string, Doubt | undefined>;
  readonly isOpen: boolean;
  /** True if the steps might not run, so that earlier values with the same name might remain. */
  readonly isLoose: boolean;
}

const EMPTY: Flow = { values: PersistentMap(), ran: PersistentMap(), isOpen: false };

const NOTHING: Added = { ...EMPTY, isLoose: false };

function joined({ values, ran, isOpen }: Flow, added: Added, covers: Covers): Flow {
  const merged = values.withMutations((map) => {
    for (const [name, list] of added.values) {
      map.set(name, added.isLoose ? settled(distinct([...(map.get(name) ?? []), ...list]), covers) : list);
    }
  });
  return { values: merged, ran: ran.merge(added.ran), isOpen: isOpen || added.isOpen };
}

/** Returns whether one of several conditions holds in every run. */
type Covers = (conditions: readonly StepCondition[]) => boolean;

/** Returns the values of one name without their doubts, if one of their steps runs in every case. */
function settled(values: readonly FlowValue[], covers: Covers): readonly FlowValue[] {
  if (values.length < 2 || values.some((value) => isAvailable(value, UNCONDITIONAL))) return values;
  const guards = values.flatMap(({ field, doubt }) =>
    doubt?.guard && doubt.by === 'condition' && !doubt.isNested && isAlwaysSet(field) ? [doubt.guard] : [],
  );
  return covers(guards) ? values.map((value) => ({ ...value, doubt: undefined })) : values;
}

/** Returns the function that compares conditions whose values are those of a flow. */
const coversIn =
  (walk: Walk, flow: Pick<Flow, 'ran'>): Covers =>
  (conditions) =>
    coverEverything(conditions, valuesIn(walk, flow));

/** Returns the function that finds the values which conditions read. */
const valuesIn =
  ({ input, steps }: Walk, { ran }: Pick<Flow, 'ran'>): ValueAt =>
  ({ source, fields: [first, ...inner] }) => {
    const isNamed = ({ entry }: FlowStep): boolean => plainName(entry.step) === plainName(source);
    const [step, other] = source === 'input' ? [] : [...steps.values()].filter(isNamed);
    const side = source === 'input' ? input : other ? undefined : step?.output;
    const field = side && first !== undefined ? findField(side, first) : undefined;
    const found = field && fieldAt(field.root, field.json, inner);
    if (!field || found?.kind !== 'found') return undefined;
    const hasRun = !step || (ran.has(step.entry.step) && !ran.get(step.entry.step));
    return { part: { ...field, json: found.json }, isGiven: hasRun && found.isGiven && isAlwaysSet(field) };
  };

/** The maximum number of values with the same name. */
const MAX_ORIGINS = 20;

const distinct = (values: readonly FlowValue[]): readonly FlowValue[] => [...new Set(values)].slice(0, MAX_ORIGINS);

/** Visits steps in order. Returns the flow after the last step, and what each step adds. */
function visitAll(
  nodes: readonly ExecutionNode[],
  before: Flow,
  walk: Walk,
  guards: Guards,
): { readonly flow: Flow; readonly added: readonly Added[] } {
  let flow = before;
  const added: Added[] = [];
  for (const node of nodes) {
    const one = visit(node, flow, walk, guards);
    flow = joined(flow, one, coversIn(walk, flow));
    added.push(one);
  }
  return { flow, added };
}

function visit(node: ExecutionNode, flow: Flow, walk: Walk, guards: Guards): Added {
  switch (node.kind) {
    case 'step': {
      const condition = conditionIn(walk, node.condition, flow, guards);
      return doubted(visitStep(node, flow, walk, within(guards, condition, walk, flow)), condition, 'condition');
    }
    case 'branch':
      return visitArms(node.arms, flow, walk, guards);
    case 'parallel':
      return mergeGroup(
        walk,
        node.steps.map((step) => visit(step, flow, walk, guards)),
      );
    case 'speculate': {
      const early = node.steps.map((step) => ({ ...step, added: visitStep(step, flow, walk, guards) }));
      const until = node.until && visitStep(node.until, flow, walk, guards);
      const after = until ? joined(flow, until, coversIn(walk, flow)) : flow;
      const steps = early.map(({ added, keepWhen }) =>
        doubted(added, conditionIn(walk, keepWhen, after, guards), 'keep_when'),
      );
      return mergeGroup(walk, until ? [...steps, until] : steps);
    }
  }
}

const within = (guards: Guards, condition: StepCondition | undefined, walk: Walk, flow: Flow): Guards =>
  condition
    ? {
        conditions: [...guards.conditions, condition],
        negated: guards.negated,
        valueAt: valuesIn(walk, flow),
        isConditional: true,
      }
    : guards;

/** The largest number of conditions of earlier arms that are kept. */
const MAX_NEGATED = 100;

/**
 * Returns what a branch adds. Only outputs that all arms provide are certain; another output exists only if its arm has
 * run.
 */
function visitArms(arms: readonly ExecutionArm[], flow: Flow, walk: Walk, guards: Guards): Added {
  const covers = coversIn(walk, flow);
  const read = arms.map((arm) => ({ ...arm, condition: conditionIn(walk, arm.condition, flow, guards) }));
  const conditions = read.flatMap(({ condition }) => condition ?? []);
  const all = read.map(({ condition, steps }, at) => {
    const negated = [...guards.negated, ...conditions.slice(Math.max(0, at - MAX_NEGATED), at)].slice(-MAX_NEGATED);
    const outer: Guards = { ...guards, negated, valueAt: valuesIn(walk, flow), isConditional: true };
    const own = within(outer, condition, walk, flow);
    const { added } = visitAll(steps, flow, walk, own);
    return { condition, added: added.reduce<Flow>((before, one) => joined(before, one, covers), EMPTY) };
  });
  // No `else` runs if the conditions cover everything.
  const possible = covers(conditions) ? all.filter(({ condition }) => condition) : all;
  const isAlwaysGiven = remembered((name) =>
    possible.every(({ added }) => added.values.get(name)?.some((value) => isAvailable(value, UNCONDITIONAL))),
  );
  const hasAlwaysRun = remembered((step) => possible.every(({ added }) => added.ran.has(step) && !added.ran.get(step)));
  const doubtful = all.map(({ condition, added }) => {
    const doubt = (step: string): Doubt => ({ by: 'arm', guard: condition, step });
    return {
      ...added,
      values: added.values.map((list, name) => (isAlwaysGiven(name) ? list : withDoubt(list, doubt))),
      ran: added.ran.map((known, step) => known ?? (hasAlwaysRun(step) ? undefined : doubt(step))),
      isLoose: true,
    };
  });
  return { ...mergeParallel(doubtful), isLoose: true };
}

/** Returns a function that calls `test` once for each name. A `when` may have thousands of arms. */
function remembered(test: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const result = known.get(name) ?? test(name);
    known.set(name, result);
    return result;
  };
}

const withDoubt = (values: readonly FlowValue[], doubt: (step: string) => Doubt): readonly FlowValue[] =>
  values.map((value) => {
    if (!value.entry || value.doubt?.isNested) return value;
    return { ...value, doubt: value.doubt ? { ...value.doubt, isNested: true } : doubt(value.entry.step) };
  });

/** Returns whether a step reads an input from the flow by its name, without a mapping. */
export const readsByName = (step: VisitedStep, name: string): boolean =>
  step.input !== undefined &&
  findField(step.input, name) !== undefined &&
  !pairsOf(step.entry.inputMapping).some(({ to }) => to === name) &&
  !setsInput(step, name);

/** Returns whether the `inputs` of a step set an input. */
export const setsInput = ({ inputs }: VisitedStep, name: string): boolean =>
  inputs?.entries.some(({ key }) => key.value === name) === true;

/** Returns what a step adds if its condition decides whether the step runs to its end. */
function doubted(added: Added, guard: StepCondition | undefined, by: Doubt['by']): Added {
  if (!guard) return added;
  const doubt = (step: string): Doubt => ({ by, guard, step });
  return {
    ...added,
    values: new Map([...added.values].map(([name, list]) => [name, withDoubt(list, doubt)])),
    ran: new Map([...added.ran].map(([step]) => [step, doubt(step)])),
    isLoose: true,
  };
}

const mergeParallel = (all: readonly Added[]): Added => ({
  values: EMPTY.values.mergeWith((a, b) => distinct([...a, ...b]), ...all.map(({ values }) => values)),
  ran: EMPTY.ran.merge(...all.map(({ ran }) => ran)),
  isOpen: all.some(({ isOpen }) => isOpen),
  isLoose: all.some(({ isLoose }) => isLoose),
});

/** Merges the steps of a parallel group, and records the names that several of these steps write. */
function mergeGroup(walk: Walk, all: readonly Added[]): Added {
  const merged = mergeParallel(all);
  const raced = new Map<string, readonly FlowValue[]>();
  for (const [name, values] of merged.values) {
    const rivals = values.filter((value) => values.some((other) => mayBothWrite(value, other)));
    if (rivals.length === 0) continue;
    walk.races.push({ name, values: rivals });
    raced.set(
      name,
      values.map((value) => (rivals.includes(value) ? { ...value, isRaced: true } : value)),
    );
  }
  return raced.size === 0 ? merged : { ...merged, values: EMPTY.values.merge(merged.values, raced) };
}

/** Returns whether one run may write both values. Two different conditions may exclude each other. */
function mayBothWrite(a: FlowValue, b: FlowValue): boolean {
  if (!a.entry || !b.entry || a.entry === b.entry) return false;
  const isCertain = ({ doubt }: FlowValue): boolean => !doubt || doubt.by === 'exit';
  if (isCertain(a) || isCertain(b) || !a.doubt || !b.doubt) return true;
  return a.doubt.guard !== undefined && a.doubt.guard.source === b.doubt.guard?.source;
}

function visitStep({ step: { name, span }, inputs }: ExecutionStep, flow: Flow, walk: Walk, guards: Guards): Added {
  const step = walk.steps.get(name);
  if (!step) return { ...NOTHING, isOpen: true };
  walk.visits.push({ flow, inputs, guards, span, ...step });
  const { exit, gives } = step;
  if (!exit) return { isLoose: false, ran: new Map([[name, undefined]]), ...gives };
  const doubt = (by: string): Doubt => ({ by: 'exit', guard: undefined, step: by, exit });
  const values = new Map([...gives.values].map(([output, list]) => [output, withDoubt(list, doubt)]));
  return { isLoose: false, ran: new Map([[name, doubt(name)]]), values, isOpen: gives.isOpen };
}

type StepOutputs = Pick<Added, 'values' | 'isOpen'>;

function outputsOf(entry: ComposesEntry, output: Side | undefined): StepOutputs {
  const mapping = pairsOf(entry.outputMapping);
  const renamed = new Map(mapping.map(({ from, to }) => [from, to]));
  const fields = output?.fields ?? [];
  const source = `\`${entry.step}\``;
  const give = (field: Field, name: string): readonly [string, readonly FlowValue[]] => [
    name,
    [{ name, field, source, entry, doubt: undefined }],
  ];
  // A mapping from an unknown output is reported separately, so the target of the mapping counts as provided.
  const stray = mapping
    .filter(({ from }) => !fields.some(({ name }) => name === from))
    .map((pair) => (output && isReversed(output, pair, 'output_mapping') ? { ...pair, to: pair.from } : pair));
  return {
    values: new Map([
      ...fields.map((field) => give(field, renamed.get(field.name) ?? field.name)),
      ...stray.map(({ from, to, fromSpan }) => give(unknownField(from, fromSpan), to)),
    ]),
    isOpen: !output || output.isOpen,
  };
}

const unknownField = (name: string, place: Span): Field => ({
  name,
  json: {},
  root: {},
  dialect: '2020-12',
  isRequired: true,
  hasDefault: false,
  description: undefined,
  uri: '',
  span: place,
  written: {},
});
