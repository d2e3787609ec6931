/** A graph while it is built: nodes in the order in which they run, and edges that wait for the node they lead to. */
import type { GraphEdge, GraphNode, NodeKind } from '../composition.ts';

export interface Graph {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  /** The ids that are taken, and how often a name was asked for. */
  readonly ids: Set<string>;
  readonly asked: Map<string, number>;
}

/** An edge that leads to whatever comes next. */
export type End = Omit<GraphEdge, 'to'>;

export const newGraph = (): Graph => ({ nodes: [], edges: [], ids: new Set(), asked: new Map() });

/** Adds a node behind the open ends and gives its own. */
export function addNode(graph: Graph, ends: readonly End[], node: Omit<GraphNode, 'interrupts'>): readonly End[] {
  graph.ids.add(node.id);
  graph.nodes.push({ ...node, interrupts: [] });
  connect(graph, ends, node.id);
  return [{ from: node.id, kind: 'next' }];
}

export function connect(graph: Graph, ends: readonly End[], to: string): void {
  for (const { from, ...end } of ends) graph.edges.push({ from, to, ...end });
}

/** Takes `parallel_1`, `parallel_2`… in the order in which they are asked for: a group comes before its parts. */
export const takeNumbered = (graph: Graph, kind: NodeKind): string => `${kind}_${ask(graph, kind)}`;

/** Takes `skill_NAME`, where letters that a node's name may not have become `_`; with a number behind it where that is taken. */
export function takeSkillId(graph: Graph, name: string): string {
  const wanted = `skill_${name.replace(/[^A-Za-z0-9_]/g, '_')}`;
  let id: string;
  do {
    const number = ask(graph, wanted);
    id = number === 1 ? wanted : `${wanted}_${number}`;
  } while (graph.ids.has(id));
  graph.ids.add(id);
  return id;
}

/** Counted and not searched for: a thousand steps of one name cost a thousand look-ups. */
function ask({ asked }: Graph, name: string): number {
  const number = (asked.get(name) ?? 0) + 1;
  asked.set(name, number);
  return number;
}
