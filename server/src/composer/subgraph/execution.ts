/** Composed skills in the order that `execution` gives (docs/format.md, section 4). */

import { type FlowNames, flowNames, groupNeighbours } from '../../skill/neighbours.ts';
import type {
  PackageCall,
  PackageExpression,
  PackageSkill,
  PackageStage,
  PackageStep,
  SkillPackage,
} from '../../skill/package.ts';
import { fieldNames } from '../../skill/summary.ts';
import { type Span, span } from '../../text.ts';
import { addDecision, addError, addNode, connect, type OpenEdge, type SubgraphContext, takeNumbered } from './graph.ts';
import { addSkill } from './nested.ts';

/** Adds all steps, and a decision on every entry of `composes`. */
export function addExecution(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  steps: readonly PackageStep[],
): readonly OpenEdge[] {
  const { graph, skillPackage } = context;
  for (const { span, message, advice } of skillPackage.executionProblems) {
    addError(context, {
      kind: 'MissingRequiredField',
      span,
      subject: 'execution',
      message,
      suggestion: advice,
    });
  }
  const last = addSteps(context, open, steps);
  const run = new Set(graph.nodes.flatMap(({ skill }) => (skill ? [skill.step] : [])));
  for (const { name, step, span } of skillPackage.composes) {
    const taken = run.has(step);
    const reason = taken ? 'execution runs it' : 'no step of execution runs it';
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

/** Whether a group runs nothing: it gets no nodes, since an edge past nothing would count as an arm that ends. */
function isEmpty(step: PackageStep): boolean {
  if (step.kind === 'step') return false;
  if (step.kind === 'branch') return step.arms.every(({ steps }) => steps.every(isEmpty));
  return step.kind === 'speculate' ? step.steps.length === 0 && !step.until : step.steps.every(isEmpty);
}

/** A condition is a branch around the step. */
function addCall(context: SubgraphContext, open: readonly OpenEdge[], step: PackageCall): readonly OpenEdge[] {
  const { name, span, condition } = step;
  const entry = context.skillPackage.composes.find((one) => one.step === name);
  if (!entry) {
    addError(context, {
      kind: 'MissingRequiredField',
      span,
      subject: name,
      message: `The step \`${name}\` names no entry of \`composes\`, so there is no skill to run.`,
      suggestion: `Add \`${name}\` to \`composes\`, or correct the step's name.`,
    });
    return open;
  }
  if (!condition) return addSkill(context, open, entry, step);
  const branch = addBranchNode(context, open, span);
  const done = addSkill(context, [conditional(branch, condition)], entry, step);
  return [...done, { from: branch, kind: 'branch' }];
}

/** Arms exclude one another. Where no arm is without a condition, an edge leads past them all. */
function addBranch(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  step: Extract<PackageStep, { kind: 'branch' }>,
): readonly OpenEdge[] {
  const elseAt = step.arms.findIndex(({ condition }) => !condition);
  const arms = step.arms.filter(({ condition }, at) => condition || at === elseAt);
  if (isEmpty({ ...step, arms })) return open;
  const branch = addBranchNode(context, open, step.span);
  const ends = sideBySide(context, arms, (own, { condition, steps }) => {
    const start: OpenEdge = condition ? conditional(branch, condition) : { from: branch, kind: 'branch' };
    return addSteps(own, [start], steps);
  }).flat();
  return elseAt < 0 ? [...ends, { from: branch, kind: 'branch' }] : ends;
}

/** `until` begins beside the steps. An edge from it to each that it may cancel says what keeps that one. */
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
  // Whether a speculated step runs is no question of its beginning.
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
  const id = takeNumbered(graph, 'branch');
  addNode(graph, open, { id, kind: 'branch', label: 'Branch', uri: skillPackage.uri, span });
  return id;
}

const conditional = (from: string, { source }: PackageExpression): OpenEdge => ({
  from,
  kind: 'branch',
  condition: source,
});

// What runs side by side: a node where it begins, and one where all of it has ended.

interface Group<Arm> {
  readonly kind: 'parallel' | 'speculate';
  readonly label: string;
  readonly span: Span;
  readonly arms: readonly Arm[];
  /** Adds an arm; one that adds nothing gives back the edges that it was given. */
  readonly add: (context: SubgraphContext, open: readonly OpenEdge[], arm: Arm) => readonly OpenEdge[];
}

interface Added {
  /** The place of the group's first node. */
  readonly at: number;
  /** Where each arm ends; none for an arm that adds nothing. */
  readonly ends: readonly (readonly OpenEdge[])[];
  readonly open: readonly OpenEdge[];
}

function addGroup<Arm>(context: SubgraphContext, open: readonly OpenEdge[], group: Group<Arm>): Added {
  const { graph, skillPackage } = context;
  const { uri } = skillPackage;
  const { kind, label, span, arms, add } = group;
  const id = takeNumbered(graph, kind);
  const join = takeNumbered(graph, 'join');
  const at = graph.nodes.length;
  const start = addNode(graph, open, { id, kind, label, uri, span, join });
  const ends = sideBySide(context, arms, (own, arm) => {
    const done = add(own, start, arm);
    return done === start ? [] : done;
  });
  const all = ends.flat();
  const last = addNode(graph, all.length > 0 ? all : start, { id: join, kind: 'join', label: 'Join', uri, span });
  return { at, ends, open: last };
}

/** No arm knows the outputs of another; what follows may know all of them. */
function sideBySide<Arm>(
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

// Composed skills where no `execution` gives an order: that of `composes` (docs/composer.md, step 5).

/** Composed skills that begin together, with the stage of the approach that waits for them, 0 being the first. */
interface Turn {
  readonly stage: number;
  readonly entries: readonly PackageSkill[];
}

/** What runs before each stage of an approach; without stages, all of it is in the first place. */
export function turnsOf(skillPackage: SkillPackage, stages: readonly PackageStage[]): readonly Turn[] {
  const { composes } = skillPackage;
  const waiting = stagesThatWait(composes, stages);
  return groupNeighbours(composes.map(flowOf)).flatMap((group) => {
    const places = [...new Set(group.map((at) => waiting[at] ?? 0))];
    return places.map((stage) => ({
      stage,
      entries: group.flatMap((at) => ((waiting[at] ?? 0) === stage ? (composes[at] ?? []) : [])),
    }));
  });
}

/**
 * For each entry the stage that it runs before: the first that refers to it or to a later entry, since none overtakes
 * another. One that nothing waits for runs as soon as it may.
 */
function stagesThatWait(composes: readonly PackageSkill[], stages: readonly PackageStage[]): readonly number[] {
  const limits = new Array<number>(composes.length).fill(Number.POSITIVE_INFINITY);
  let limit = Number.POSITIVE_INFINITY;
  for (let at = composes.length - 1; at >= 0; at--) {
    const entry = composes[at];
    limit = Math.min(limit, entry ? stageThatRefersTo(entry, stages) : limit);
    limits[at] = limit;
  }
  let last = 0;
  return composes.map((entry, at) => {
    if (stageThatRefersTo(entry, stages) < Number.POSITIVE_INFINITY) last = limits[at] ?? last;
    return last;
  });
}

/** By its name or by that of its step. */
function stageThatRefersTo({ name, step }: PackageSkill, stages: readonly PackageStage[]): number {
  const at = stages.findIndex(({ references }) =>
    references.some((one) => one.kind === 'skill' && (one.name === step || one.name === name)),
  );
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

export const addTurns = (
  context: SubgraphContext,
  open: readonly OpenEdge[],
  turns: readonly Turn[],
  stages: readonly PackageStage[],
): readonly OpenEdge[] =>
  turns.reduce((last, { stage, entries }) => {
    for (const entry of entries) {
      const isOwn = stageThatRefersTo(entry, stages) === stage;
      const reason = isOwn ? `runs in stage ${stage + 1}, which refers to it` : 'runs in the order of composes';
      addDecision(context, { span: entry.span, subject: 'skill', name: entry.name, taken: true, reason });
    }
    return addTurn(context, last, entries);
  }, open);

function addTurn(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  entries: readonly PackageSkill[],
): readonly OpenEdge[] {
  const [first] = entries;
  const last = entries.at(-1);
  if (!first || !last) return open;
  if (first === last) return addSkill(context, open, first);
  return addGroup(context, open, {
    kind: 'parallel',
    label: 'In parallel',
    span: span(first.span.start, last.span.end),
    arms: entries,
    add: addSkill,
  }).open;
}

/** Undefined where the skill is not known. */
function flowOf({ package: composed, inputMapping, outputMapping }: PackageSkill): FlowNames | undefined {
  if (typeof composed === 'string') return undefined;
  const { inputSchema, outputSchema } = composed;
  return flowNames(
    { fields: inputSchema ? fieldNames(inputSchema.json) : [], mapping: Object.entries(inputMapping) },
    { fields: outputSchema ? fieldNames(outputSchema.json) : [], mapping: Object.entries(outputMapping) },
  );
}
