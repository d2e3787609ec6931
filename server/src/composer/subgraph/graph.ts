/** A graph that is being built: nodes in the order in which they run, and edges whose target node is not added yet. */

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
import type { ConditionContext } from '../prepare.ts';
import type { TemplateEngine } from '../render/engine.ts';

interface Graph {
  readonly nodes: GraphNode[];
  readonly edges: (OpenEdge & Pick<GraphEdge, 'to'>)[];
  /** The IDs in use. */
  readonly ids: Set<string>;
  /** The number of times that each name was requested. */
  readonly requestCounts: Map<string, number>;
}

/** An edge to the node that is added next. */
export interface OpenEdge extends Omit<GraphEdge, 'to'> {
  /** For an edge of a branch: the index of its arm. */
  readonly arm?: number;
}

/** Returns an empty graph. */
export const newGraph = (): Graph => ({ nodes: [], edges: [], ids: new Set(), requestCounts: new Map() });

/** Adds a node to which the open edges lead, and returns the open edge after the node. */
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

/** Adds edges that lead to the node with the ID `to`. */
export function connect(graph: Graph, open: readonly OpenEdge[], to: string): void {
  for (const { from, ...rest } of open) graph.edges.push({ from, to, ...rest });
}

/**
 * Returns the edges of a graph. The edge of an arm without nodes is added after the edges of later arms, so the edges of
 * each branch are put into the order of the arms.
 */
export function edgesOf({ edges }: Graph): readonly GraphEdge[] {
  const byArm = new Map(edges.map((edge) => [`${edge.from} ${edge.arm}`, edge]));
  const counts = new Map<string, number>();
  return edges.map((added) => {
    if (added.arm === undefined) return added;
    const count = counts.get(added.from) ?? 0;
    counts.set(added.from, count + 1);
    const { arm: _, ...edge } = byArm.get(`${added.from} ${count}`) ?? added;
    return edge;
  });
}

/**
 * Returns the next ID for a kind of node, such as `parallel_1` and then `parallel_2`. A group has a lower number than
 * the groups inside it.
 */
export const nextNumberedId = (graph: Graph, kind: NodeKind): string => `${kind}_${count(graph, kind)}`;

/**
 * Returns a unique ID `skill_NAME`. Characters that an ID cannot contain become `_`; a number is added if the ID is in
 * use.
 */
export function uniqueSkillId(graph: Graph, name: string): string {
  const wanted = skillIdOf(name);
  let id: string;
  do {
    const number = count(graph, wanted);
    id = number === 1 ? wanted : `${wanted}_${number}`;
  } while (graph.ids.has(id));
  graph.ids.add(id);
  return id;
}

/** Returns the ID of the first node that runs the entry of `composes` with this name. */
export const skillIdOf = (name: string): string => `skill_${name.replace(/[^A-Za-z0-9_]/g, '_')}`;

/** Returns how often a name was requested, including this time. */
function count({ requestCounts }: Graph, name: string): number {
  const number = (requestCounts.get(name) ?? 0) + 1;
  requestCounts.set(name, number);
  return number;
}

// The data for building the graph of the top-level skill or of a composed skill.

/** The data that all graphs of a composition share. */
interface SharedContext {
  readonly engine: TemplateEngine;
  readonly capabilities: CapabilitySet;
  readonly source: InvocationSource;
  /** The names by which template variants are chosen. */
  readonly modelNames: readonly string[];
  readonly limits: Limits;
  /** `scope`, `source` and `model`, which are the same at every depth. */
  readonly contextVariables: ConditionContext;
  /** The decisions, by a key that equal decisions share. */
  readonly decisions: Map<string, Decision>;
  readonly errors: Map<string, ComposeError>;
  /** The tools that each graph itself is likely to call, in this order, without those of composed skills. */
  readonly expectedTools: Map<Subgraph, readonly string[]>;
  /** The number of nested graphs so far. */
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
  /** The graph of this skill, which is being built. */
  readonly graph: Graph;
  /** The composed skills from the top-level file's entry down to this skill; empty for the top-level skill. */
  readonly path: readonly PackageSkill[];
  /** The entry in the top-level file, where errors of composed skills are shown. Undefined at the top. */
  readonly topEntry: FileSpan | undefined;
  /** The inputs whose values are known before the run. */
  readonly knownInput: Readonly<Record<string, Json>>;
  /** The inputs whose values are known only at run time. */
  readonly runtimeInput: ReadonlySet<string>;
  /** The names of the flow whose values are known only at run time: inputs, and outputs of the steps added so far. */
  readonly runtimeNames: Set<string>;
}

/** Adds a decision. Equal decisions on a skill that is composed through several paths are added only once. */
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
 * Adds an error. An error in a composed skill is shown at the entry in the top-level file through which the skill is
 * composed, and its message contains the names in `path`.
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

/** Returns the exit condition of a contract, bounded by the limit of the request (docs/composer.md, step 7). */
export function exitConditionOf({ exit, outputSchema }: SkillPackage, { maxToolCalls }: Limits): ExitCondition {
  const bound = maxToolCalls === undefined ? {} : { maxToolCalls };
  if (exit.on === 'tool_budget') {
    return { on: exit.on, maxToolCalls: Math.min(exit.maxToolCalls, maxToolCalls ?? exit.maxToolCalls) };
  }
  if (exit.on === 'output_schema' && outputSchema) return { on: exit.on, schema: outputSchema.json, ...bound };
  if (exit.on === 'interrupt') return { ...exit, ...bound };
  return { on: 'caller', ...bound };
}
