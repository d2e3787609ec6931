/** A graph while it is built: nodes in the order in which they run, and edges whose next node is not yet added. */

import type { Json } from '../../languages/yaml/node.ts';
import type { FileSpan, InvocationSource, PackageArtifact, PackageSkill, SkillPackage } from '../../skill/package.ts';
import type {
  CapabilitySet,
  ComposeError,
  Decision,
  ExitCondition,
  GraphEdge,
  GraphNode,
  Limits,
  NodeKind,
  Subgraph,
} from '../composition.ts';
import type { ConditionContext } from '../conditions.ts';
import type { TemplateEngine } from '../render/engine.ts';

interface Graph {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  /** The ids that are taken. */
  readonly ids: Set<string>;
  /** How often each name was asked for. */
  readonly asked: Map<string, number>;
}

/** An edge that leads to whatever node is added next. */
export type OpenEdge = Omit<GraphEdge, 'to'>;

export const newGraph = (): Graph => ({ nodes: [], edges: [], ids: new Set(), asked: new Map() });

/** Adds a node that open edges lead to, and gives the open edge behind it. */
export function addNode(
  graph: Graph,
  open: readonly OpenEdge[],
  node: Omit<GraphNode, 'interrupts'>,
): readonly OpenEdge[] {
  graph.ids.add(node.id);
  graph.nodes.push({ ...node, interrupts: [] });
  connect(graph, open, node.id);
  return [{ from: node.id, kind: 'next' }];
}

export function connect(graph: Graph, open: readonly OpenEdge[], to: string): void {
  for (const { from, ...rest } of open) graph.edges.push({ from, to, ...rest });
}

/** Takes `parallel_1`, `parallel_2`… in the order in which they are asked for: a group comes before its parts. */
export const takeNumbered = (graph: Graph, kind: NodeKind): string => `${kind}_${count(graph, kind)}`;

/** Takes `skill_NAME`, where letters that a node's name may not have become `_`, and a number follows where that is taken. */
export function takeSkillId(graph: Graph, name: string): string {
  const wanted = `skill_${name.replace(/[^A-Za-z0-9_]/g, '_')}`;
  let id: string;
  do {
    const number = count(graph, wanted);
    id = number === 1 ? wanted : `${wanted}_${number}`;
  } while (graph.ids.has(id));
  graph.ids.add(id);
  return id;
}

/** How often a name was asked for, this time included. */
function count({ asked }: Graph, name: string): number {
  const number = (asked.get(name) ?? 0) + 1;
  asked.set(name, number);
  return number;
}

// What is known where the shape of one skill is built: of the top-level skill, or of a composed one.

/** The same for all shapes of a composition. */
interface SharedContext {
  readonly engine: TemplateEngine;
  readonly capabilities: CapabilitySet;
  readonly source: InvocationSource;
  readonly limits: Limits;
  /** `scope`, `source` and `model`, which are the same at every depth. */
  readonly ambient: ConditionContext;
  /** By a key that is the same for the same decision. */
  readonly decisions: Map<string, Decision>;
  readonly errors: Map<string, ComposeError>;
  /** How many nested shapes there are so far. */
  nested: number;
  readonly buildShape: (
    context: SubgraphContext,
    tools: readonly string[],
    approach: PackageArtifact | undefined,
  ) => Subgraph;
}

export interface SubgraphContext {
  readonly shared: SharedContext;
  readonly skillPackage: SkillPackage;
  /** The graph of this skill, while it is built. */
  readonly graph: Graph;
  /** The composed skills from the top-level file's entry down to this one; empty at the top. */
  readonly path: readonly PackageSkill[];
  /** Where errors of composed skills are shown: the entry in the top-level file. Undefined at the top. */
  readonly topEntry: FileSpan | undefined;
  /** The inputs whose values are known before the run. */
  readonly knownInput: Readonly<Record<string, Json>>;
  /** The inputs whose values come only at run time. */
  readonly runtimeInput: ReadonlySet<string>;
  /** The names of the flow whose values come only at run time: inputs, and outputs of earlier steps. It grows. */
  readonly runtimeNames: Set<string>;
}

/** Adds a decision, once for a skill that several paths lead to. */
export function addDecision(
  { shared, skillPackage }: SubgraphContext,
  decision: Omit<Decision, 'uri' | 'artifact'> & Partial<Pick<Decision, 'artifact'>>,
): void {
  const { span, subject, name, taken, reason } = decision;
  const key = [skillPackage.uri, span.start, span.end, subject, name, taken, reason].join('\n');
  if (shared.decisions.has(key)) return;
  shared.decisions.set(key, { uri: skillPackage.uri, artifact: undefined, ...decision });
}

/**
 * Adds an error, at its own place where the skill is the top one, else at the top-level entry that leads to it. `path` is
 * named in the message.
 */
export function addError(context: SubgraphContext, error: Omit<ComposeError, 'uri'>, path = context.path): void {
  const { shared, skillPackage, topEntry } = context;
  const own = { ...error, uri: skillPackage.uri };
  const names = path.map(({ name }) => `\`${name}\``).join(' → ');
  const message = names === '' ? error.message : `${error.message} It is reached through ${names}.`;
  const shown = topEntry ? { ...own, ...topEntry, message } : own;
  const key = [skillPackage.uri, shown.span.start, shown.span.end, error.kind, error.subject].join('\n');
  if (!shared.errors.has(key)) shared.errors.set(key, shown);
}

// What "done" means for a skill (docs/composer.md, step 7).

/** From the contract, bounded by the request's limit. */
export function exitConditionOf({ exit, outputSchema }: SkillPackage, { maxToolCalls }: Limits): ExitCondition {
  const bound = maxToolCalls === undefined ? {} : { maxToolCalls };
  if (exit.on === 'tool_budget') {
    return { on: exit.on, maxToolCalls: Math.min(exit.maxToolCalls, maxToolCalls ?? exit.maxToolCalls) };
  }
  if (exit.on === 'output_schema' && outputSchema) return { on: exit.on, schema: outputSchema.json, ...bound };
  if (exit.on === 'interrupt') return { ...exit, ...bound };
  return { on: 'caller', ...bound };
}
