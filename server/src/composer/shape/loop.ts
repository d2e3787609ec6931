/** The planner-executor loop, one for the whole skill or one for each stage (docs/composer.md, step 5). */
import type { PackageArtifact, PackageStage, Passage, SkillPackage } from '../../skill/package.ts';
import type { GraphNode } from '../composition.ts';
import type { ShapeContext } from './context.ts';
import { addNode, connect, type OpenEdge } from './graph.ts';

interface LoopInput {
  readonly tools: readonly string[];
  readonly approach: PackageArtifact | undefined;
  /** Adds what a stage runs before its plan. */
  readonly beforeStage: (stage: number, open: readonly OpenEdge[]) => readonly OpenEdge[];
}

export function addLoops(context: ShapeContext, open: readonly OpenEdge[], input: LoopInput): readonly OpenEdge[] {
  const { approach, tools } = input;
  const { uri, headSpan } = context.skillPackage;
  const stages = stagesOf(context, approach);
  if (stages.length === 0) {
    const guidance = approach ? textOf(approach.text) : '';
    const plan = { id: 'plan', label: 'Plan', uri, span: approach?.headingSpan ?? headSpan };
    return addLoop(context, open, { ...plan, kind: 'plan', ...(guidance !== '' && { guidance }) }, tools, '');
  }
  return stages.reduce((last, stage, at) => {
    const index = at + 1;
    const plan: PlanNode = {
      id: `plan_${index}`,
      kind: 'plan',
      label: stage.name,
      uri,
      span: stage.span,
      stage: { index, name: stage.name },
      instructions: joined(at === 0 ? (approach?.beforeStages ?? []) : [], stage.text),
    };
    return addLoop(context, input.beforeStage(at, last), plan, toolsOf(stage, tools), `_${index}`);
  }, open);
}

/** None where a model chooses the shape. */
export const stagesOf = (
  { skillPackage }: ShapeContext,
  approach: PackageArtifact | undefined,
): readonly PackageStage[] => (skillPackage.plannerDelegatesShape ? [] : (approach?.stages ?? []));

type PlanNode = Omit<GraphNode, 'interrupts'>;

/** Without a tool that may be called, planning is all there is. */
function addLoop(
  context: ShapeContext,
  open: readonly OpenEdge[],
  plan: PlanNode,
  tools: readonly string[],
  suffix: string,
): readonly OpenEdge[] {
  const { graph, skillPackage } = context;
  const { uri, toolsSpan, headSpan } = skillPackage;
  const last = addNode(graph, open, { ...plan, ...policyOf(context) });
  if (tools.length === 0) return last;
  const id = `call_tools${suffix}`;
  addNode(graph, [{ from: plan.id, kind: 'branch', label: 'a tool is called' }], {
    id,
    kind: 'call_tools',
    label: 'Call tools',
    uri,
    span: toolsSpan ?? headSpan,
    tools,
    ...constraintsOf(skillPackage, tools),
    ...policyOf(context),
  });
  connect(graph, [{ from: id, kind: 'loop' }], plan.id);
  return last;
}

/** Of several entries of one tool the first counts. */
function constraintsOf({ tools: surface }: SkillPackage, names: readonly string[]): Pick<GraphNode, 'constraints'> {
  const found = names.flatMap((name) => {
    const json = surface.find((tool) => tool.name === name)?.constraints;
    return json === undefined ? [] : [[name, json] as const];
  });
  return found.length === 0 ? {} : { constraints: Object.fromEntries(found) };
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
export function policyOf({
  skillPackage: { retry, timeoutMs },
  topEntry,
}: ShapeContext): Pick<GraphNode, 'retry' | 'timeoutMs'> {
  return topEntry ? {} : { ...(retry && { retry }), ...(timeoutMs !== undefined && { timeoutMs }) };
}

/** What an approach with stages says after them. */
export const closingOf = (context: ShapeContext, approach: PackageArtifact | undefined): string =>
  stagesOf(context, approach).length === 0 ? '' : textOf(approach?.afterStages ?? []);

const joined = (...passages: readonly Passage[]): string =>
  passages
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n\n');

const textOf = (passage: Passage): string => passage.map(({ text }) => text).join('');
