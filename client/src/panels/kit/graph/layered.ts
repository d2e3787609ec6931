/** The layout of both graphs: layers from the top down, by dagre. */
import { Graph, layout } from '@dagrejs/dagre';
import type { Point, Rect } from './geometry.ts';
import type { Size } from './view.ts';

export interface LayeredEdge {
  readonly from: string;
  readonly to: string;
  /** The room for its label. */
  readonly label: Size;
}

export interface Layered extends Size {
  readonly boxes: ReadonlyMap<string, Rect>;
  /** In the order of the edges; `label` is the middle of the label. */
  readonly routes: readonly { readonly points: readonly Point[]; readonly label: Point }[];
}

export function layered(nodes: ReadonlyMap<string, Size>, edges: readonly LayeredEdge[]): Layered {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 32, edgesep: 16, ranker: 'tight-tree' });
  for (const [id, { width, height }] of nodes) graph.setNode(id, { width, height });
  for (const [at, { from, to, label }] of edges.entries()) {
    graph.setEdge(from, to, { ...label, labelpos: 'c' }, String(at));
  }
  layout(graph);
  const boxes = new Map<string, Rect>();
  for (const [id, { width, height }] of nodes) {
    const { x, y } = graph.node(id) as Point;
    boxes.set(id, { x: x - width / 2, y: y - height / 2, width, height });
  }
  const routes = edges.map(({ from, to }, at) => {
    const { points, x, y } = graph.edge(from, to, String(at)) as unknown as { points: Point[] } & Point;
    return { points, label: { x, y } };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { boxes, routes, width: Math.ceil(width), height: Math.ceil(height) };
}
