/** Adds composed skills in the order of `execution`, or of their data (docs/format.md, section 4). */

import { type FlowNames, fieldNamesOf, flowNames, orderByData } from '../../skill/composition-order.ts';
import type {
  PackageCall,
  PackageExpression,
  PackageSkill,
  PackageStage,
  PackageStep,
  SkillPackage,
} from '../../skill/package.ts';
import { type Span, span } from '../../text.ts';
import { addDecision, addNode, connect, nextNumberedId, type OpenEdge, type SubgraphContext } from './graph.ts';
import { addSkill, holdsBeforeRun } from './nested.ts';

/**
 * Adds all steps of an `execution`, and a decision on every entry of `composes` (docs/format.md, section 4). Returns
 * the open edges after the last step.
 */
export function addExecution(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  steps: readonly PackageStep[],
): readonly OpenEdge[] {
  const { graph, skillPackage } = context;
  const last = addSteps(context, open, steps);
  const run = new Set(graph.nodes.flatMap(({ skill }) => (skill ? [skill.step] : [])));
  for (const { name, step, span } of skillPackage.composes) {
    const taken = run.has(step);
    const reason = taken ? 'a step runs it' : 'no step runs it';
    addDecision(context, { span, subject: 'skill', name, taken, reason });
  }
  return last;
}

const addSteps = (
  context: SubgraphContext,
  open: readonly OpenEdge[],
  steps: readonly PackageStep[],
): readonly OpenEdge[] => steps.reduce((last, step) => addStep(context, last, step), open);

function addStep(context: SubgraphContext, open: readonly OpenEdge[], step: PackageStep): readonly OpenEdge[] {
  if (step.kind === 'step') return addCall(context, open, step);
  if (step.kind === 'branch') return addBranch(context, open, step);
  if (step.kind === 'speculate') return addSpeculation(context, open, step);
  const arms = step.steps.filter((one) => !isEmpty(one));
  if (arms.length === 0) return open;
  const group = { kind: 'parallel', label: 'In parallel', span: step.span, arms, add: addStep } as const;
  return addGroup(context, open, group).open;
}

/**
 * Returns whether a group runs nothing. An empty group gets no nodes, because an edge around the group would count as
 * the end of an arm.
 */
function isEmpty(step: PackageStep): boolean {
  if (step.kind === 'step') return false;
  if (step.kind === 'branch') return step.arms.every(({ steps }) => steps.every(isEmpty));
  return step.kind === 'speculate' ? step.steps.length === 0 && !step.until : step.steps.every(isEmpty);
}

/** Adds a step. A step with a condition gets a branch around it. */
function addCall(context: SubgraphContext, open: readonly OpenEdge[], step: PackageCall): readonly OpenEdge[] {
  const { name, span, condition } = step;
  const entry = context.skillPackage.composes.find((one) => one.step === name);
  if (!entry) return open;
  if (!condition) return addSkill(context, open, entry, step);
  const edges = branchEdges(context, addBranchNode(context, open, span), [condition, undefined]);
  return [...addSkill(context, edges.slice(0, 1), entry, step), ...edges.slice(1)];
}

/** Adds a branch that runs one of its arms. If every arm has a condition, an edge leads past all arms. */
function addBranch(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  step: Extract<PackageStep, { kind: 'branch' }>,
): readonly OpenEdge[] {
  const elseAt = step.arms.findIndex(({ condition }) => !condition);
  const arms = step.arms.filter(({ condition }, at) => condition || at === elseAt);
  if (isEmpty({ ...step, arms })) return open;
  const conditions = [...arms.map(({ condition }) => condition), ...(elseAt < 0 ? [undefined] : [])];
  const edges = branchEdges(context, addBranchNode(context, open, step.span), conditions);
  const ends = addParallelArms(context, [...arms.entries()], (own, [at, { steps }]) =>
    addSteps(own, edges.slice(at, at + 1), steps),
  ).flat();
  return [...ends, ...edges.slice(arms.length)];
}

/**
 * Adds a speculation. The `until` step begins together with the other steps, and has a `cancel` edge to each step that
 * it may cancel.
 */
function addSpeculation(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  step: Extract<PackageStep, { kind: 'speculate' }>,
): readonly OpenEdge[] {
  const { graph } = context;
  const { until, span } = step;
  if (isEmpty(step)) return open;
  const label = until ? `Speculate until ${until.name}` : 'Speculate';
  const arms = until ? [...step.steps, until] : step.steps;
  // A condition is ignored, since every speculated step begins.
  const add = (own: SubgraphContext, start: readonly OpenEdge[], call: PackageCall): readonly OpenEdge[] =>
    addCall(own, start, { ...call, condition: undefined });
  const { at, ends, open: last } = addGroup(context, open, { kind: 'speculate', label, span, arms, add });
  const ids = ends.map(([end]) => end?.from);
  const decides = until && ids.at(-1);
  const start = graph.nodes[at];
  if (decides === undefined || !start) return last;
  graph.nodes[at] = { ...start, until: decides };
  for (const [nth, { keepWhen }] of step.steps.entries()) {
    const to = ids[nth];
    if (to === undefined || !keepWhen) continue;
    connect(graph, [{ from: decides, kind: 'cancel', unless: keepWhen.source }], to);
  }
  return last;
}

function addBranchNode(
  { graph, skillPackage }: SubgraphContext,
  open: readonly OpenEdge[],
  span: PackageSkill['span'],
): string {
  const id = nextNumberedId(graph, 'branch');
  addNode(graph, open, { id, kind: 'branch', label: 'Branch', uri: skillPackage.uri, span });
  return id;
}

/**
 * Returns an edge for each condition of a branch; the edge without a condition is followed if no condition holds. An
 * edge is `untaken` if its condition is false, or if a condition before it holds, before the run.
 */
function branchEdges(
  context: SubgraphContext,
  from: string,
  conditions: readonly (PackageExpression | undefined)[],
): readonly OpenEdge[] {
  let isDecided = false;
  return conditions.map((condition, arm): OpenEdge => {
    const holds = condition ? holdsBeforeRun(context, condition) : undefined;
    const isUntaken = isDecided || holds === false;
    isDecided ||= holds === true;
    return {
      ...{ from, kind: 'branch', arm },
      ...(condition && { condition: condition.source }),
      ...(isUntaken && { untaken: true }),
    };
  });
}

// Adds groups that run in parallel, with a node that starts the group and a node that waits for all arms.

interface Group<Arm> {
  readonly kind: 'parallel' | 'speculate';
  readonly label: string;
  readonly span: Span;
  readonly arms: readonly Arm[];
  /** Adds an arm and returns its open edges. If the arm has no nodes, returns the array `open` itself. */
  readonly add: (context: SubgraphContext, open: readonly OpenEdge[], arm: Arm) => readonly OpenEdge[];
}

interface AddedGroup {
  /** The index of the group's first node in the graph. */
  readonly at: number;
  /** The open edges at the end of each arm; none for an arm that adds nothing. */
  readonly ends: readonly (readonly OpenEdge[])[];
  readonly open: readonly OpenEdge[];
}

function addGroup<Arm>(context: SubgraphContext, open: readonly OpenEdge[], group: Group<Arm>): AddedGroup {
  const { graph, skillPackage } = context;
  const { uri } = skillPackage;
  const { kind, label, span, arms, add } = group;
  const id = nextNumberedId(graph, kind);
  const join = nextNumberedId(graph, 'join');
  const at = graph.nodes.length;
  const start = addNode(graph, open, { id, kind, label, uri, span, join });
  const ends = addParallelArms(context, arms, (own, arm) => {
    const done = add(own, start, arm);
    return done === start ? [] : done;
  });
  const all = ends.flat();
  const last = addNode(graph, all.length > 0 ? all : start, { id: join, kind: 'join', label: 'Join', uri, span });
  return { at, ends, open: last };
}

/** Adds arms that cannot read each other's outputs. Later nodes can read the outputs of all arms. */
function addParallelArms<Arm>(
  context: SubgraphContext,
  arms: readonly Arm[],
  add: (context: SubgraphContext, arm: Arm) => readonly OpenEdge[],
): readonly (readonly OpenEdge[])[] {
  const before = new Set(context.runtimeNames);
  return arms.map((arm) => {
    const own = { ...context, runtimeNames: new Set(before) };
    const ends = add(own, arm);
    for (const name of own.runtimeNames) context.runtimeNames.add(name);
    return ends;
  });
}

// The order of composed skills if there is no `execution`: the order of their data (docs/composer.md, step 5).

/** Composed skills that begin together. `stage` is the stage of the approach before which they run, counted from 0. */
interface SkillGroup {
  readonly stage: number;
  readonly entries: readonly PackageSkill[];
}

/**
 * Returns the composed skills that run before each stage of an approach (docs/composer.md, step 5). If there are no
 * stages, all composed skills run before stage 0.
 */
export function groupSkillsByStage(skillPackage: SkillPackage, stages: readonly PackageStage[]): readonly SkillGroup[] {
  const { composes, inputSchema } = skillPackage;
  const { groups } = orderByData(composes.map(flowOf), fieldNamesOf(inputSchema?.json).fields);
  const ordered = groups.map((group) => group.flatMap((at) => composes[at] ?? []));
  const waiting = stagesThatWait(ordered.flat(), stages);
  const stageOf = (entry: PackageSkill): number => waiting.get(entry) ?? 0;
  return ordered.flatMap((group) =>
    [...new Set(group.map(stageOf))].map((stage) => ({
      stage,
      entries: group.filter((entry) => stageOf(entry) === stage),
    })),
  );
}

/**
 * Returns the stage before which each entry runs: the first stage that refers to the entry or to a later entry, because
 * the entries keep their order. An entry to which no stage refers runs as early as possible.
 */
function stagesThatWait(
  ordered: readonly PackageSkill[],
  stages: readonly PackageStage[],
): ReadonlyMap<PackageSkill, number> {
  const limits = new Map<PackageSkill, number>();
  let limit = Number.POSITIVE_INFINITY;
  for (const entry of ordered.toReversed()) {
    limit = Math.min(limit, stageThatRefersTo(entry, stages));
    limits.set(entry, limit);
  }
  let last = 0;
  return new Map(
    ordered.map((entry) => {
      if (stageThatRefersTo(entry, stages) < Number.POSITIVE_INFINITY) last = limits.get(entry) ?? last;
      return [entry, last];
    }),
  );
}

/**
 * Returns the index of the first stage that refers to an entry, by the name of the skill or of its step; `Infinity`
 * if no stage does.
 */
export function stageThatRefersTo({ name, step }: PackageSkill, stages: readonly PackageStage[]): number {
  const at = stages.findIndex(({ references }) =>
    references.some((one) => one.kind === 'skill' && (one.name === step || one.name === name)),
  );
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** Adds composed skills and decisions on them (docs/composer.md, step 5), and returns the open edges. */
export const addSkillGroups = (
  context: SubgraphContext,
  open: readonly OpenEdge[],
  turns: readonly SkillGroup[],
  stages: readonly PackageStage[],
): readonly OpenEdge[] =>
  turns.reduce((last, { stage, entries }) => {
    for (const entry of entries) {
      const wanted = stageThatRefersTo(entry, stages);
      const reason =
        wanted === stage
          ? `runs in stage ${stage + 1}, which refers to it`
          : wanted === Number.POSITIVE_INFINITY
            ? 'runs in the order of the data'
            : `runs in the order of the data, before stage ${wanted + 1}, which refers to it`;
      addDecision(context, { span: entry.span, subject: 'skill', name: entry.name, taken: true, reason });
    }
    return addSkillGroup(context, last, entries);
  }, open);

function addSkillGroup(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  entries: readonly PackageSkill[],
): readonly OpenEdge[] {
  const [first, ...others] = entries;
  if (!first) return open;
  if (others.length === 0) return addSkill(context, open, first);
  return addGroup(context, open, {
    kind: 'parallel',
    label: 'In parallel',
    span: span(
      Math.min(...entries.map((entry) => entry.span.start)),
      Math.max(...entries.map((entry) => entry.span.end)),
    ),
    arms: entries,
    add: addSkill,
  }).open;
}

/** Returns the names that a composed skill reads and writes; undefined if the skill does not exist. */
function flowOf({ package: composed, inputMapping, outputMapping }: PackageSkill): FlowNames | undefined {
  if (typeof composed === 'string') return undefined;
  const { inputSchema, outputSchema } = composed;
  return flowNames(
    { ...fieldNamesOf(inputSchema?.json), mapping: Object.entries(inputMapping) },
    { ...fieldNamesOf(outputSchema?.json), mapping: Object.entries(outputMapping) },
  );
}
