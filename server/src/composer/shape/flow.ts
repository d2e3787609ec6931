/** Composed skills as nodes: in the order of `composes`, or as `execution` says (skill-format.md, section 4). */

import type { Json } from '../../languages/yaml/node.ts';
import type { PackageExpression, PackageSkill, PackageStep, Retry } from '../../skill/package.ts';
import { addNode, type End, type Graph, takeNumbered, takeSkillId } from './graph.ts';
import { outputNamesOf } from './known-input.ts';
import { type ShapeAt, shapeNested } from './nested.ts';
import { decide, report, type Site } from './site.ts';

/** Where steps are added. */
export interface Flow {
  readonly site: Site;
  readonly graph: Graph;
  readonly shapeAt: ShapeAt;
}

/** What a step says beyond the entry of `composes` that it runs. */
interface Call {
  readonly span: PackageSkill['span'];
  readonly inputs: Json | undefined;
  readonly retry: Retry | undefined;
}

export function addSkill(flow: Flow, ends: readonly End[], entry: PackageSkill, call?: Call): readonly End[] {
  const { site, graph } = flow;
  const composed = typeof entry.package === 'string' ? undefined : entry.package;
  const retry = call?.retry ?? composed?.retry;
  const timeoutMs = composed?.timeoutMs;
  const subgraph = shapeNested(site, entry, call?.inputs, flow.shapeAt);
  for (const name of outputNamesOf(entry)) site.late.add(name);
  return addNode(graph, ends, {
    id: takeSkillId(graph, entry.step),
    kind: 'skill',
    label: entry.step,
    uri: site.skillPackage.uri,
    span: call?.span ?? entry.span,
    skill: {
      name: entry.name,
      step: entry.step,
      version: composed?.version,
      inputMapping: sorted(entry.inputMapping),
      outputMapping: sorted(entry.outputMapping),
      inputs: call?.inputs === undefined ? undefined : sorted(call.inputs),
    },
    ...(subgraph && { subgraph }),
    ...(retry && { retry }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

/** All steps of `execution`; the entries that none of them runs are decided against. */
export function addExecution(flow: Flow, ends: readonly End[], steps: readonly PackageStep[]): readonly End[] {
  const { site, graph } = flow;
  const open = addSteps(flow, ends, steps);
  const run = new Set(graph.nodes.flatMap(({ skill }) => (skill ? [skill.step] : [])));
  for (const { name, step, span } of site.skillPackage.composes) {
    const taken = run.has(step);
    const reason = taken ? 'execution runs it' : 'no step of execution runs it';
    decide(site, { span, subject: 'skill', name, taken, reason });
  }
  return open;
}

const addSteps = (flow: Flow, ends: readonly End[], steps: readonly PackageStep[]): readonly End[] =>
  steps.reduce((open, step) => addStep(flow, open, step), ends);

function addStep(flow: Flow, ends: readonly End[], step: PackageStep): readonly End[] {
  if (step.kind === 'step') return addCall(flow, ends, step);
  if (step.kind === 'branch') return addBranch(flow, ends, step);
  const steps = step.steps.filter((one) => !isEmpty(one));
  return steps.length === 0 ? ends : addGroup(flow, ends, { ...step, steps });
}

/** Groups in which nothing is run: an edge around nothing would count as a part that ends. */
function isEmpty(step: PackageStep): boolean {
  if (step.kind === 'step') return false;
  if (step.kind === 'branch') return step.arms.every(({ steps }) => steps.every(isEmpty));
  return step.steps.every(isEmpty);
}

/** A condition is a branch around the step. */
function addCall(flow: Flow, ends: readonly End[], step: Extract<PackageStep, { kind: 'step' }>): readonly End[] {
  const { site } = flow;
  const { name, span, condition } = step;
  const entry = site.skillPackage.composes.find((one) => one.step === name);
  if (!entry) {
    report(site, {
      kind: 'MissingRequiredField',
      span,
      subject: name,
      message: `The step \`${name}\` names no entry of \`composes\`, so there is no skill to run.`,
      suggestion: `Add \`${name}\` to \`composes\`, or correct the step's name.`,
    });
    return ends;
  }
  if (!condition) return addSkill(flow, ends, entry, step);
  const branch = addBranchNode(flow, ends, step.span);
  const done = addSkill(flow, [conditional(branch, condition)], entry, step);
  return [...done, { from: branch, kind: 'branch' }];
}

/** Arms exclude one another. Where no arm is without a condition, the flow may go past them all. */
function addBranch(flow: Flow, ends: readonly End[], step: Extract<PackageStep, { kind: 'branch' }>): readonly End[] {
  const elseAt = step.arms.findIndex(({ condition }) => !condition);
  const arms = step.arms.filter(({ condition }, at) => condition || at === elseAt);
  if (isEmpty({ ...step, arms })) return ends;
  const branch = addBranchNode(flow, ends, step.span);
  const open = sideBySide(flow, arms, (arm, { condition, steps }) => {
    const start: End = condition ? conditional(branch, condition) : { from: branch, kind: 'branch' };
    return addSteps(arm, [start], steps);
  });
  return elseAt < 0 ? [...open, { from: branch, kind: 'branch' }] : open;
}

function addGroup(
  flow: Flow,
  ends: readonly End[],
  step: Extract<PackageStep, { kind: 'parallel' | 'speculate' }>,
): readonly End[] {
  const { graph, site } = flow;
  const { uri } = site.skillPackage;
  const { kind, span } = step;
  const id = takeNumbered(graph, kind);
  const join = takeNumbered(graph, 'join');
  const until = kind === 'speculate' ? step.until?.name : undefined;
  const at = graph.nodes.length;
  const label = kind === 'parallel' ? 'In parallel' : until === undefined ? 'Speculate' : `Speculate until ${until}`;
  const start = addNode(graph, ends, { id, kind, label, uri, span, join });
  const arms = sideBySide(flow, step.steps, (arm, one) => {
    const done = addStep(arm, start, one);
    // A step that names no skill is an error, and adds nothing.
    return done === start ? [] : done;
  });
  const open = arms.length > 0 ? arms : start;
  const ending = graph.nodes.slice(at).find(({ skill }) => until !== undefined && skill?.step === until);
  if (ending) graph.nodes[at] = { ...(graph.nodes[at] as (typeof graph.nodes)[number]), until: ending.id };
  return addNode(graph, open, { id: join, kind: 'join', label: 'Join', uri, span });
}

/** None of the arms knows what another puts out; what follows may know all of it. */
function sideBySide<Arm>(
  flow: Flow,
  arms: readonly Arm[],
  add: (flow: Flow, arm: Arm) => readonly End[],
): readonly End[] {
  const before = new Set(flow.site.late);
  return arms.flatMap((arm) => {
    const late = new Set(before);
    const ends = add({ ...flow, site: { ...flow.site, late } }, arm);
    for (const name of late) flow.site.late.add(name);
    return ends;
  });
}

function addBranchNode({ graph, site }: Flow, ends: readonly End[], span: PackageSkill['span']): string {
  const id = takeNumbered(graph, 'branch');
  addNode(graph, ends, { id, kind: 'branch', label: 'Branch', uri: site.skillPackage.uri, span });
  return id;
}

const conditional = (from: string, { source }: PackageExpression): End => ({ from, kind: 'branch', condition: source });

/** Which key of a map comes first says nothing, and so must not show. */
function sorted<Value extends Json>(value: Value): Value {
  if (Array.isArray(value)) return value.map(sorted) as Json as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner as Json)])) as Json as Value;
}
