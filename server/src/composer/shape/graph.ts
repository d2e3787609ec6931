/** A graph while it is built: nodes in the order in which they run, and edges whose next node is not yet added. */
import type { GraphEdge, GraphNode, NodeKind } from '../composition.ts';

export interface Graph {
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
