/** Composed skills in the order that `execution` gives (docs/format.md, section 4). */

import type { PackageCall, PackageExpression, PackageSkill, PackageStep } from '../../skill/package.ts';
import { addDecision, addError, type ShapeContext } from './context.ts';
import { addNode, connect, type OpenEdge, takeNumbered } from './graph.ts';
import { addGroup, sideBySide } from './groups.ts';
import { addSkill } from './nested.ts';

/** Adds all steps, and a decision on every entry of `composes`. */
export function addExecution(
  context: ShapeContext,
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
  context: ShapeContext,
  open: readonly OpenEdge[],
  steps: readonly PackageStep[],
): readonly OpenEdge[] => steps.reduce((last, step) => addStep(context, last, step), open);

function addStep(context: ShapeContext, open: readonly OpenEdge[], step: PackageStep): readonly OpenEdge[] {
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
function addCall(context: ShapeContext, open: readonly OpenEdge[], step: PackageCall): readonly OpenEdge[] {
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
  }).flat();
  return elseAt < 0 ? [...ends, { from: branch, kind: 'branch' }] : ends;
}

/** `until` begins beside the steps. An edge from it to each that it may cancel says what keeps that one. */
function addSpeculation(
  context: ShapeContext,
  open: readonly OpenEdge[],
  step: Extract<PackageStep, { kind: 'speculate' }>,
): readonly OpenEdge[] {
  const { graph } = context;
  const { until, span } = step;
  if (isEmpty(step)) return open;
  const label = until ? `Speculate until ${until.name}` : 'Speculate';
  const arms = until ? [...step.steps, until] : step.steps;
  // Whether a speculated step runs is no question of its beginning.
  const add = (own: ShapeContext, start: readonly OpenEdge[], call: PackageCall): readonly OpenEdge[] =>
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
