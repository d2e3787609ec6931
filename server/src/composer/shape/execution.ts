/** Composed skills in the order that `execution` gives (docs/format.md, section 4). */

import type { PackageExpression, PackageSkill, PackageStep } from '../../skill/package.ts';
import { addDecision, addError, type ShapeContext } from './context.ts';
import { addNode, type OpenEdge, takeNumbered } from './graph.ts';
import { addSkill } from './nested.ts';

/** Adds all steps, and a decision on every entry of `composes`. */
export function addExecution(
  context: ShapeContext,
  open: readonly OpenEdge[],
  steps: readonly PackageStep[],
): readonly OpenEdge[] {
  const { graph, skillPackage } = context;
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
  context: ShapeContext,
  open: readonly OpenEdge[],
  steps: readonly PackageStep[],
): readonly OpenEdge[] => steps.reduce((last, step) => addStep(context, last, step), open);

function addStep(context: ShapeContext, open: readonly OpenEdge[], step: PackageStep): readonly OpenEdge[] {
  if (step.kind === 'step') return addCall(context, open, step);
  if (step.kind === 'branch') return addBranch(context, open, step);
  const steps = step.steps.filter((one) => !isEmpty(one));
  return steps.length === 0 ? open : addGroup(context, open, { ...step, steps });
}

/** Whether a group runs nothing: it gets no nodes, since an edge past nothing would count as an arm that ends. */
function isEmpty(step: PackageStep): boolean {
  if (step.kind === 'step') return false;
  if (step.kind === 'branch') return step.arms.every(({ steps }) => steps.every(isEmpty));
  return step.steps.every(isEmpty);
}

/** A condition is a branch around the step. */
function addCall(
  context: ShapeContext,
  open: readonly OpenEdge[],
  step: Extract<PackageStep, { kind: 'step' }>,
): readonly OpenEdge[] {
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
  context: ShapeContext,
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
  });
  return elseAt < 0 ? [...ends, { from: branch, kind: 'branch' }] : ends;
}

function addGroup(
  context: ShapeContext,
  open: readonly OpenEdge[],
  step: Extract<PackageStep, { kind: 'parallel' | 'speculate' }>,
): readonly OpenEdge[] {
  const { graph, skillPackage } = context;
  const { uri } = skillPackage;
  const { kind, span } = step;
  const id = takeNumbered(graph, kind);
  const join = takeNumbered(graph, 'join');
  const until = kind === 'speculate' ? step.until?.name : undefined;
  const at = graph.nodes.length;
  const label = kind === 'parallel' ? 'In parallel' : until === undefined ? 'Speculate' : `Speculate until ${until}`;
  const start = addNode(graph, open, { id, kind, label, uri, span, join });
  const ends = sideBySide(context, step.steps, (own, one) => {
    const done = addStep(own, start, one);
    // A step that names no skill is an error, and adds nothing.
    return done === start ? [] : done;
  });
  const ending = graph.nodes.slice(at).find(({ skill }) => until !== undefined && skill?.step === until);
  if (ending) graph.nodes[at] = { ...(graph.nodes[at] as (typeof graph.nodes)[number]), until: ending.id };
  return addNode(graph, ends.length > 0 ? ends : start, { id: join, kind: 'join', label: 'Join', uri, span });
}

/** No arm knows the outputs of another; what follows may know all of them. */
function sideBySide<Arm>(
  context: ShapeContext,
  arms: readonly Arm[],
  add: (context: ShapeContext, arm: Arm) => readonly OpenEdge[],
): readonly OpenEdge[] {
  const before = new Set(context.runtimeNames);
  return arms.flatMap((arm) => {
    const own = { ...context, runtimeNames: new Set(before) };
    const ends = add(own, arm);
    for (const name of own.runtimeNames) context.runtimeNames.add(name);
    return ends;
  });
}

function addBranchNode(
  { graph, skillPackage }: ShapeContext,
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
