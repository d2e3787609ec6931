/**
 * Makes the subgraph of a composition (docs/composer.md, steps 5 to 7) as plain data at every depth, and finds
 * interrupts that never fire.
 */
import {
  hasLoop,
  type InvocationSource,
  type PackageArtifact,
  type PackageInterrupt,
  type SkillPackage,
  type ToolDescriptor,
} from '../skill/package.ts';
import type {
  CapabilitySet,
  ComposeError,
  Composition,
  Decision,
  GraphNode,
  Limits,
  NodeKind,
  Subgraph,
  SubgraphInterrupt,
} from './composition.ts';
import { isMap } from './json.ts';
import type { ConditionContext } from './prepare.ts';
import type { TemplateEngine } from './render/engine.ts';
import { withoutAbsentTools } from './subgraph/absent-tools.ts';
import { addExecution, addSkillGroups, groupSkillsByStage } from './subgraph/execution.ts';
import { callsOf, expectedTools, interruptsOf } from './subgraph/expected.ts';
import {
  addDecision,
  addNode,
  edgesOf,
  exitConditionOf,
  newGraph,
  type OpenEdge,
  type SubgraphContext,
  skillIdOf,
} from './subgraph/graph.ts';
import { addLoops, closingOf, policyOf, stagesOf, toolsOf } from './subgraph/loop.ts';
import { graphErrors, narrowToApproach, topTools } from './subgraph/nested.ts';

interface SubgraphInput {
  readonly engine: TemplateEngine;
  readonly skillPackage: SkillPackage;
  readonly availableTools: readonly ToolDescriptor[];
  readonly capabilities: CapabilitySet;
  readonly source: InvocationSource;
  readonly approach: PackageArtifact | undefined;
  /** The result of `conditionContext`; composed skills get their inputs from its `parameters`. */
  readonly context: ConditionContext;
  readonly modelNames: readonly string[];
  readonly limits: Limits;
}

export interface SubgraphResult {
  readonly shape: Subgraph;
  /**
   * Decisions on interrupts, composed skills with their tools and approaches, and tools that the approach leaves out.
   */
  readonly decisions: readonly Decision[];
  readonly errors: readonly ComposeError[];
  readonly expectedToolCalls: Composition['expectedToolCalls'];
  readonly declaredInterrupts: Composition['declaredInterrupts'];
}

/** Returns the subgraph of a skill with all decisions and errors (docs/composer.md, steps 5 to 7). Never throws. */
export function shapeSubgraph(input: SubgraphInput): SubgraphResult {
  const { engine, capabilities, source, limits, skillPackage } = input;
  const { scope = null, source: from = source, model = null, parameters } = input.context;
  const context: SubgraphContext = {
    shared: {
      engine,
      capabilities,
      source,
      modelNames: input.modelNames,
      limits,
      contextVariables: { scope, source: from, model },
      decisions: new Map(),
      errors: new Map(),
      expectedTools: new Map(),
      nested: 0,
      buildShape,
    },
    skillPackage,
    graph: newGraph(),
    path: [],
    topEntry: undefined,
    knownInput: isMap(parameters) ? parameters : {},
    runtimeInput: new Set(),
    runtimeNames: new Set(),
  };
  const shape = buildShape(context, topTools(context, input.availableTools), input.approach);
  const { decisions, errors, expectedTools } = context.shared;
  return {
    shape,
    decisions: [...decisions.values()],
    errors: [...errors.values()],
    expectedToolCalls: [...new Set(callsOf(shape, expectedTools))],
    declaredInterrupts: [...new Set(interruptsOf(shape))],
  };
}

function buildShape(
  context: SubgraphContext,
  available: readonly string[],
  chosen: PackageArtifact | undefined,
): Subgraph {
  const { skillPackage, graph, shared } = context;
  const { uri, headSpan, inputSchema, outputSchema } = skillPackage;
  const tools = narrowToApproach(context, available, chosen);
  const approach = withoutAbsentTools(context, chosen, available);
  const input = inputSchema && inputSchema.form !== 'empty' ? inputSchema.span : headSpan;
  const begin = addNode(graph, [], {
    id: 'validate_input',
    kind: 'validate_input',
    label: 'Validate input',
    uri,
    span: input,
    ...(inputSchema && { schema: inputSchema.json }),
  });
  const end = addWork(context, begin, tools, approach);
  const output = outputSchema && outputSchema.form !== 'empty' ? outputSchema.span : headSpan;
  const closing = closingOf(context, approach);
  addNode(graph, end, {
    id: 'check_exit',
    kind: 'check_exit',
    label: 'Check exit',
    uri,
    span: output,
    ...(outputSchema && { schema: outputSchema.json }),
    ...(closing !== '' && { instructions: closing }),
  });
  const { nodes, interrupts } = attachInterrupts(context);
  const errors = graphErrors(context);
  const shape: Subgraph = {
    nodes,
    edges: edgesOf(graph),
    toolAvailability: tools,
    interrupts,
    ...(errors.length > 0 && { errors }),
    exitCondition: exitConditionOf(skillPackage, shared.limits),
    delegated: skillPackage.plannerDelegatesShape,
  };
  shared.expectedTools.set(shape, expectedTools(skillPackage, shared.modelNames, chosen, tools));
  return shape;
}

/** Adds the nodes between the input and the exit. */
function addWork(
  context: SubgraphContext,
  open: readonly OpenEdge[],
  tools: readonly string[],
  approach: PackageArtifact | undefined,
): readonly OpenEdge[] {
  const { skillPackage, graph } = context;
  if (skillPackage.backed) {
    const { uri, headSpan: span, service, composes } = skillPackage;
    for (const { name, span: place } of composes) {
      addDecision(context, { span: place, subject: 'skill', name, taken: false, reason: 'this skill is a service' });
    }
    const node = { id: 'call_service', kind: 'call_service', label: 'Call the service', uri, span } as const;
    return addNode(graph, open, { ...node, ...(service && { service }), ...policyOf(context) });
  }
  const loops = hasLoop(skillPackage);
  const stages = loops ? stagesOf(context, approach) : [];
  const turns = skillPackage.execution ? [] : groupSkillsByStage(skillPackage, stages);
  const addBefore = (stage: number, last: readonly OpenEdge[]): readonly OpenEdge[] => {
    const own = turns.filter((turn) => turn.stage === stage);
    return addSkillGroups(context, last, own, stages);
  };
  const before = skillPackage.execution ? addExecution(context, open, skillPackage.execution) : open;
  // Without stages, all composed skills run before the only loop.
  if (stages.length === 0) {
    const last = addBefore(0, before);
    return loops ? addLoops(context, last, { tools, approach, beforeStage: (_, ahead) => ahead }) : last;
  }
  return addLoops(context, before, { tools, approach, beforeStage: addBefore });
}

interface Attached {
  readonly nodes: readonly GraphNode[];
  readonly interrupts: readonly SubgraphInterrupt[];
}

/** Returns the nodes of the graph with the interrupts that they fire (docs/composer.md, step 6), and adds decisions. */
function attachInterrupts(context: SubgraphContext): Attached {
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

/**
 * Returns the IDs of the nodes that the subgraphs of a skill may have, for every invocation (docs/composer.md, step 5).
 * `isNumbered` also accepts the numbered IDs of groups and of further nodes for the same composed skill.
 */
export function possibleNodeIds(skillPackage: SkillPackage): {
  readonly ids: readonly string[];
  readonly isNumbered: (id: string) => boolean;
} {
  const approaches = skillPackage.artifacts.filter(({ kind }) => kind === 'Approach');
  const stages = Math.max(0, ...approaches.map((approach) => stagesOf({ skillPackage }, approach).length));
  const suffixes = ['', ...Array.from({ length: stages }, (_, at) => `_${at + 1}`)];
  const loops = hasLoop(skillPackage) ? suffixes.flatMap((suffix) => [`plan${suffix}`, `call_tools${suffix}`]) : [];
  const skills = skillPackage.composes.map(({ step }) => skillIdOf(step));
  const service = skillPackage.backed ? ['call_service'] : [];
  return {
    ids: [...new Set(['validate_input', ...skills, ...loops, ...service, 'check_exit'])],
    isNumbered: (id) => {
      const base = /^(.+)_[1-9]\d*$/.exec(id)?.[1] ?? '';
      return skills.includes(base) || (skills.length > 0 && GROUPS.includes(base));
    },
  };
}

/** The kinds of nodes whose IDs are numbered. */
const GROUPS: readonly string[] = ['branch', 'parallel', 'speculate', 'join'] satisfies readonly NodeKind[];

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
