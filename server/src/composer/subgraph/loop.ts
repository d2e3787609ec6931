/** The planner-executor loop, one for the whole skill or one for each stage (docs/composer.md, step 5). */
import type { PackageArtifact, PackageInterrupt, PackageStage, Passage, SkillPackage } from '../../skill/package.ts';
import type { GraphNode, SubgraphInterrupt } from '../composition.ts';
import { addDecision, addNode, connect, type OpenEdge, type SubgraphContext } from './graph.ts';

interface LoopInput {
  readonly tools: readonly string[];
  readonly approach: PackageArtifact | undefined;
  /** Adds what a stage runs before its plan. */
  readonly beforeStage: (stage: number, open: readonly OpenEdge[]) => readonly OpenEdge[];
}

export function addLoops(context: SubgraphContext, open: readonly OpenEdge[], input: LoopInput): readonly OpenEdge[] {
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
  { skillPackage }: SubgraphContext,
  approach: PackageArtifact | undefined,
): readonly PackageStage[] => (skillPackage.plannerDelegatesShape ? [] : (approach?.stages ?? []));

type PlanNode = Omit<GraphNode, 'interrupts'>;

/** Without a tool that may be called, planning is all there is. */
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
}: SubgraphContext): Pick<GraphNode, 'retry' | 'timeoutMs'> {
  return topEntry ? {} : { ...(retry && { retry }), ...(timeoutMs !== undefined && { timeoutMs }) };
}

/** What an approach with stages says after them. */
export const closingOf = (context: SubgraphContext, approach: PackageArtifact | undefined): string =>
  stagesOf(context, approach).length === 0 ? '' : textOf(approach?.afterStages ?? []);

const joined = (...passages: readonly Passage[]): string =>
  passages
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n\n');

const textOf = (passage: Passage): string => passage.map(({ text }) => text).join('');

// Interrupts at the nodes that fire them (docs/composer.md, step 6).

interface Attached {
  readonly nodes: readonly GraphNode[];
  readonly interrupts: readonly SubgraphInterrupt[];
}

export function attachInterrupts(context: SubgraphContext): Attached {
  const { nodes } = context.graph;
  const seen = new Set<string>();
  const interrupts = context.skillPackage.interrupts.flatMap((interrupt) => {
    // Of several interrupts of one name the first counts.
    if (seen.has(interrupt.name)) return [];
    seen.add(interrupt.name);
    return attach(context, interrupt);
  });
  const namesAt = new Map<string, string[]>();
  for (const { node, name } of interrupts) namesAt.set(node, [...(namesAt.get(node) ?? []), name]);
  return { nodes: nodes.map((node) => ({ ...node, interrupts: namesAt.get(node.id) ?? [] })), interrupts };
}

function attach(context: SubgraphContext, interrupt: PackageInterrupt): SubgraphInterrupt[] {
  const { nodes } = context.graph;
  const { name, span, when, message } = interrupt;
  const attached = nodesOf(interrupt, nodes).flatMap((node): SubgraphInterrupt[] => {
    const tools = name === 'before_write' ? writersAmong(context, node.tools ?? []) : undefined;
    if (tools?.length === 0) return [];
    return [
      {
        uri: context.skillPackage.uri,
        span,
        name,
        node: node.id,
        ...(when && { when: when.source }),
        ...(message !== undefined && { message }),
        ...(tools && { tools }),
      },
    ];
  });
  const at = attached.map(({ node }) => node).join(', ');
  const reason = at === '' ? reasonAgainst(interrupt, nodes) : `fires at ${at}`;
  addDecision(context, { span, subject: 'interrupt', name, taken: at !== '', reason });
  return attached;
}

const nodesOf = ({ node }: PackageInterrupt, nodes: readonly GraphNode[]): readonly GraphNode[] =>
  nodes.filter((one) => (node === 'stage' ? one.kind === 'plan' && one.stage !== undefined : one.kind === node));

function writersAmong({ skillPackage }: SubgraphContext, tools: readonly string[]): string[] {
  const writers = skillPackage.tools.filter(({ descriptor }) => descriptor?.operation === 'WRITE');
  return tools.filter((tool) => writers.some(({ name }) => name === tool));
}

function reasonAgainst(interrupt: PackageInterrupt, nodes: readonly GraphNode[]): string {
  if (interrupt.node === undefined) return 'neither the format nor the catalog knows it';
  if (interrupt.node === 'stage') return 'the chosen approach has no stages';
  if (nodesOf(interrupt, nodes).length > 0) return 'no tool that is known to write may be called';
  if (interrupt.node === 'call_tools') return 'no tool may be called here';
  return `this shape has no node ${interrupt.node}`;
}
