/** The planner-executor loop, one for the whole skill or one for each stage (composer.md, step 5). */
import type { PackageArtifact, PackageStage, Passage, Place } from '../../skill/package.ts';
import type { GraphNode } from '../composition.ts';
import { addNode, connect, type End, type Graph } from './graph.ts';
import type { Site } from './site.ts';

export interface LoopInput {
  readonly tools: readonly string[];
  readonly approach: PackageArtifact | undefined;
  /** Adds what a stage runs before its plan. */
  readonly beforeStage: (stage: number, ends: readonly End[]) => readonly End[];
}

export function addLoops(site: Site, graph: Graph, ends: readonly End[], input: LoopInput): readonly End[] {
  const { approach, tools } = input;
  const { uri, headSpan } = site.skillPackage;
  const stages = stagesOf(site, approach);
  if (stages.length === 0) {
    const guidance = approach ? textOf(approach.text) : '';
    const plan = { id: 'plan', label: 'Plan', uri, span: approach?.headingSpan ?? headSpan };
    return addLoop(site, graph, ends, { ...plan, kind: 'plan', ...(guidance !== '' && { guidance }) }, tools, '');
  }
  return stages.reduce((open, stage, at) => {
    const index = at + 1;
    const plan: PlanNode = {
      id: `plan_${index}`,
      kind: 'plan',
      label: stage.name,
      uri,
      span: stage.span,
      stage: { index, name: stage.name },
      instructions: textOf(stage.text),
    };
    return addLoop(site, graph, input.beforeStage(at, open), plan, toolsOf(stage, tools), `_${index}`);
  }, ends);
}

/** A shape that a model is to choose is not cut into stages beforehand. */
export const stagesOf = ({ skillPackage }: Site, approach: PackageArtifact | undefined): readonly PackageStage[] =>
  skillPackage.plannerDelegatesShape ? [] : (approach?.stages ?? []);

type PlanNode = Omit<GraphNode, 'interrupts'>;

/** Without a tool that may be called, planning is all there is. */
function addLoop(
  site: Site,
  graph: Graph,
  ends: readonly End[],
  plan: PlanNode,
  tools: readonly string[],
  suffix: string,
): readonly End[] {
  const { uri, toolsSpan, headSpan } = site.skillPackage;
  const open = addNode(graph, ends, { ...plan, ...policyOf(site) });
  if (tools.length === 0) return open;
  const call: Place = { uri, span: toolsSpan ?? headSpan };
  const id = `call_tools${suffix}`;
  addNode(graph, [{ from: plan.id, kind: 'branch', label: 'a tool is called' }], {
    id,
    kind: 'call_tools',
    label: 'Call tools',
    ...call,
    tools,
    ...policyOf(site),
  });
  connect(graph, [{ from: id, kind: 'loop' }], plan.id);
  return open;
}

/** A stage that refers to tools may call those only. */
function toolsOf({ references }: PackageStage, tools: readonly string[]): readonly string[] {
  const named = references.filter(({ kind }) => kind === 'tool').map(({ name }) => name);
  return named.length === 0 ? tools : tools.filter((tool) => named.includes(tool));
}

/**
 * Retry and timeout of the skill's own policy, for the nodes that work. A composed skill has them on the node that calls
 * it: on both, every attempt would be multiplied.
 */
export function policyOf({ skillPackage: { retry, timeoutMs }, entry }: Site): Pick<GraphNode, 'retry' | 'timeoutMs'> {
  return entry ? {} : { ...(retry && { retry }), ...(timeoutMs !== undefined && { timeoutMs }) };
}

const textOf = (passage: Passage): string => passage.map(({ text }) => text).join('');
