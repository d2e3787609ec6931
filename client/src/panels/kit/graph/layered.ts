/** Computes a layered layout from top to bottom with dagre, for the composition graph and the graph of the preview. */
import { Graph, layout } from '@dagrejs/dagre';
import type { Point, Rect, Size } from './view.ts';

export interface LayeredEdge {
  readonly from: string;
  readonly to: string;
  /** The size of the label. */
  readonly label: Size;
}

export interface Layered extends Size {
  readonly boxes: ReadonlyMap<string, Rect>;
  /** The routes in the order of the edges; `label` is the centre of the label. */
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
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const isMirrored = runsLeftward(edges, (id) => (graph.node(id) as Point).x);
  const placed = ({ x, y }: Point): Point => ({ x: isMirrored ? width - x : x, y });
  const boxes = new Map<string, Rect>();
  for (const [id, size] of nodes) {
    const { x, y } = placed(graph.node(id) as Point);
    boxes.set(id, { x: x - size.width / 2, y: y - size.height / 2, width: size.width, height: size.height });
  }
  const routes = edges.map(({ from, to }, at) => {
    const { points, x, y } = graph.edge(from, to, String(at)) as unknown as { points: Point[] } & Point;
    return { points: points.map(placed), label: placed({ x, y }) };
  });
  return { boxes, routes, width: Math.ceil(width), height: Math.ceil(height) };
}

/** Returns true if the targets of most nodes are ordered from right to left. Dagre does not prefer either direction. */
function runsLeftward(edges: readonly LayeredEdge[], middle: (id: string) => number): boolean {
  const last = new Map<string, number>();
  let rightward = 0;
  for (const { from, to } of edges) {
    const x = middle(to);
    const before = last.get(from);
    if (before !== undefined) rightward += Math.sign(x - before);
    last.set(from, x);
  }
  return rightward < 0;
}

// Measures text in the editor's interface font, because the layout needs the widths before anything is drawn.

/** The width of a string in pixels. */
export type Measure = (text: string, large: boolean) => number;

/**
 * Creates a function that measures text in the page's current font. Create a new function for each layout, because the
 * font can change.
 */
export function createMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const known = new Map<string, number>();
  const { fontFamily, fontSize } = getComputedStyle(document.body);
  const size = Number.parseFloat(fontSize);
  return (text, large) => {
    // Must match the fonts in `styles/graph.css`.
    const font = large ? `600 ${Math.max(12, size)}px ${fontFamily}` : `${Math.max(12, size - 1)}px ${fontFamily}`;
    const key = `${font} ${text}`;
    const old = known.get(key);
    if (old !== undefined) return old;
    if (context) context.font = font;
    const width = Math.ceil(context?.measureText(text).width ?? text.length * size * 0.6);
    known.set(key, width);
    return width;
  };
}
