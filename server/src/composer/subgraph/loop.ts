/**
 * Adds one loop of planning and tool calls for the whole skill, or one loop for each stage (docs/composer.md, step 5).
 */
import type { PackageArtifact, PackageStage, Passage, SkillPackage } from '../../skill/package.ts';
import type { GraphNode } from '../composition.ts';
import { addNode, connect, type OpenEdge, type SubgraphContext } from './graph.ts';

interface LoopInput {
  readonly tools: readonly string[];
  readonly approach: PackageArtifact | undefined;
  /** Adds the composed skills that run before a stage (counted from 0), and returns the open edges. */
  readonly beforeStage: (stage: number, open: readonly OpenEdge[]) => readonly OpenEdge[];
}

/** Adds one loop for each stage, or one for the whole skill, and returns the open edges after the last loop. */
export function addLoops(context: SubgraphContext, open: readonly OpenEdge[], input: LoopInput): readonly OpenEdge[] {
  const { approach, tools } = input;
  const { uri } = context.skillPackage;
  const stages = stagesOf(context, approach);
  if (stages.length === 0) return addSingleLoop(context, open, approach, approach ? textOf(approach.text) : '', tools);
  // The text before the stages belongs to the first stage that is left.
  const first = stages.findIndex((stage) => !isLeftOut(stage));
  const last = stages.reduce((before, stage, at) => {
    const ahead = input.beforeStage(at, before);
    if (isLeftOut(stage)) return ahead;
    const index = at + 1;
    const plan: PlanNode = {
      id: `plan_${index}`,
      kind: 'plan',
      label: stage.name,
      uri,
      span: stage.span,
      stage: { index, name: stage.name },
      instructions: joined(at === first ? (approach?.beforeStages ?? []) : [], stage.text),
    };
    return addLoop(context, ahead, plan, toolsOf(stage, tools), `_${index}`);
  }, open);
  return first < 0 ? addSingleLoop(context, last, approach, joined(approach?.beforeStages ?? []), []) : last;
}

/** Returns whether `withoutAbsentTools` has removed the whole text of a stage. */
const isLeftOut = ({ text, references }: PackageStage): boolean => text.length === 0 && references.length > 0;

/** Adds one loop for the whole skill. */
function addSingleLoop(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  approach: PackageArtifact | undefined,
  guidance: string,
  tools: readonly string[],
): readonly OpenEdge[] {
  const { uri, headSpan } = context.skillPackage;
  const plan = { id: 'plan', label: 'Ask the model', uri, span: approach?.headingSpan ?? headSpan };
  return addLoop(context, open, { ...plan, kind: 'plan', ...(guidance !== '' && { guidance }) }, tools, '');
}

/** Returns the stages of the approach; none if a model chooses the graph. */
export const stagesOf = (
  { skillPackage }: Pick<SubgraphContext, 'skillPackage'>,
  approach: PackageArtifact | undefined,
): readonly PackageStage[] => (skillPackage.plannerDelegatesShape ? [] : (approach?.stages ?? []));

type PlanNode = Omit<GraphNode, 'interrupts'>;

/** Adds a `plan` node, and a `call_tools` node if a tool may be called. */
function addLoop(
  context: SubgraphContext,
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

/** Returns the constraints on tool inputs, by tool name. If a tool has several entries, the first entry is used. */
function constraintsOf({ tools: surface }: SkillPackage, names: readonly string[]): Pick<GraphNode, 'constraints'> {
  const found = names.flatMap((name) => {
    const json = surface.find((tool) => tool.name === name)?.constraints;
    return json === undefined ? [] : [[name, json] as const];
  });
  return found.length === 0 ? {} : { constraints: Object.fromEntries(found) };
}

/**
 * Returns the tools that a stage may call: the tools to which its text refers, or all `tools` if there are no
 * references.
 */
export function toolsOf({ references }: PackageStage, tools: readonly string[]): readonly string[] {
  const named = references.filter(({ kind }) => kind === 'tool').map(({ name }) => name);
  return named.length === 0 ? tools : tools.filter((tool) => named.includes(tool));
}

/**
 * Returns the skill's retry policy and timeout, for the nodes that do its work. A composed skill gets no policy of its
 * own, because the node that calls the skill has the policy, and retries on both levels would multiply the attempts.
 */
export function policyOf({
  skillPackage: { retry, timeoutMs },
  topEntry,
}: SubgraphContext): Pick<GraphNode, 'retry' | 'timeoutMs'> {
  return topEntry ? {} : { ...(retry && { retry }), ...(timeoutMs !== undefined && { timeoutMs }) };
}

/** Returns the text after the stages of an approach; empty if there are no stages. */
export const closingOf = (context: SubgraphContext, approach: PackageArtifact | undefined): string =>
  stagesOf(context, approach).length === 0 ? '' : textOf(approach?.afterStages ?? []);

const joined = (...passages: readonly Passage[]): string =>
  passages
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n\n');

const textOf = (passage: Passage): string => passage.map(({ text }) => text).join('');
