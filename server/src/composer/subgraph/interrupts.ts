/** Attaches interrupts to the nodes that fire them, and finds interrupts that never fire (docs/composer.md, step 6). */
import { hasLoop, type PackageArtifact, type PackageInterrupt, type SkillPackage } from '../../skill/package.ts';
import type { GraphNode, SubgraphInterrupt } from '../composition.ts';
import { addDecision, type SubgraphContext } from './graph.ts';
import { stagesOf, toolsOf } from './loop.ts';

interface Attached {
  readonly nodes: readonly GraphNode[];
  readonly interrupts: readonly SubgraphInterrupt[];
}

/** Returns the nodes of the graph with the interrupts that they fire (docs/composer.md, step 6), and adds decisions. */
export function attachInterrupts(context: SubgraphContext): Attached {
  const { nodes } = context.graph;
  const seen = new Set<string>();
  const interrupts = context.skillPackage.interrupts.flatMap((interrupt) => {
    // If several interrupts have the same name, use the first interrupt.
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
  const obstacle = obstacleOf(interrupt, nodes, (tool) => writersAmong(context, [tool]).length > 0);
  const reason = obstacle ? REASONS[obstacle](interrupt) : `fires at ${at}`;
  addDecision(context, { span, subject: 'interrupt', name, taken: at !== '', reason });
  return attached;
}

type FiringNode = Pick<GraphNode, 'kind' | 'stage' | 'tools'>;

const nodesOf = <Node extends FiringNode>(
  { node }: Pick<PackageInterrupt, 'node'>,
  nodes: readonly Node[],
): readonly Node[] =>
  nodes.filter((one) => (node === 'stage' ? one.kind === 'plan' && one.stage !== undefined : one.kind === node));

function writersAmong({ skillPackage }: SubgraphContext, tools: readonly string[]): string[] {
  const writers = skillPackage.tools.filter(({ descriptor }) => descriptor?.operation === 'WRITE');
  return tools.filter((tool) => writers.some(({ name }) => name === tool));
}

/** The reason why none of some nodes fires an interrupt. */
type Obstacle = 'unknown' | 'no-stage' | 'no-writer' | 'no-tool' | 'no-node';

/** Returns the reason why no node fires an interrupt; undefined if a node does. */
function obstacleOf(
  interrupt: Pick<PackageInterrupt, 'name' | 'node'>,
  nodes: readonly FiringNode[],
  isWriter: (tool: string) => boolean,
): Obstacle | undefined {
  if (interrupt.node === undefined) return 'unknown';
  const firing = nodesOf(interrupt, nodes);
  if (firing.length > 0) {
    const fires = interrupt.name !== 'before_write' || firing.some(({ tools }) => tools?.some(isWriter));
    return fires ? undefined : 'no-writer';
  }
  if (interrupt.node === 'stage') return 'no-stage';
  return interrupt.node === 'call_tools' ? 'no-tool' : 'no-node';
}

const REASONS: Readonly<Record<Obstacle, (interrupt: Pick<PackageInterrupt, 'node'>) => string>> = {
  unknown: () => 'neither the format nor the catalog defines it',
  'no-stage': () => 'the chosen approach has no stages',
  'no-writer': () => 'no tool with the operation WRITE may be called',
  'no-tool': () => 'no tool may be called here',
  'no-node': ({ node }) => `this subgraph has no node ${node}`,
};

/**
 * Returns the reason why no invocation of a skill fires an interrupt, as a clause without a period; undefined if an
 * invocation may fire it, or if the interrupt is unknown (docs/composer.md, step 6).
 */
export function whyNeverFired(
  skillPackage: SkillPackage,
  interrupt: Pick<PackageInterrupt, 'name' | 'node'>,
): string | undefined {
  const mayWrite = (name: string): boolean => {
    const operation = skillPackage.tools.find((tool) => tool.name === name)?.descriptor?.operation;
    return operation === undefined || operation === 'WRITE';
  };
  switch (obstacleOf(interrupt, possibleNodes(skillPackage), mayWrite)) {
    case 'no-stage':
      return skillPackage.plannerDelegatesShape
        ? 'with `planner_delegates_shape`, no stages run'
        : 'this skill has no approach with stages';
    case 'no-writer':
      return 'this skill may call no tool with the operation `WRITE`';
    case 'no-tool':
      return 'this skill may call no tool';
    case 'no-node':
      return 'no model runs in this skill';
    default:
      return undefined;
  }
}

/** Returns the nodes that the subgraphs of a skill may have, for every choice of an approach. */
function possibleNodes(skillPackage: SkillPackage): readonly FiringNode[] {
  const always: readonly FiringNode[] = [{ kind: 'validate_input' }, { kind: 'check_exit' }];
  if (!hasLoop(skillPackage)) return always;
  const approaches = skillPackage.artifacts.filter(({ kind }) => kind === 'Approach');
  const certain = approaches.findIndex(({ includeWhen }) => !includeWhen);
  const choices = certain < 0 ? [undefined, ...approaches] : approaches.slice(0, certain + 1);
  return [...always, ...choices.flatMap((approach) => possibleLoops(skillPackage, approach))];
}

function possibleLoops(skillPackage: SkillPackage, approach: PackageArtifact | undefined): readonly FiringNode[] {
  const named = approach?.tools?.map(({ name }) => name);
  const all = skillPackage.tools.map(({ name }) => name).filter((name) => !named || named.includes(name));
  const loopOf = (tools: readonly string[], stage?: GraphNode['stage']): readonly FiringNode[] => [
    { kind: 'plan', ...(stage && { stage }) },
    ...(tools.length > 0 ? [{ kind: 'call_tools', tools } as const] : []),
  ];
  const stages = stagesOf({ skillPackage }, approach);
  if (stages.length === 0) return loopOf(all);
  return stages.flatMap((stage, at) => loopOf(toolsOf(stage, all), { index: at + 1, name: stage.name }));
}
