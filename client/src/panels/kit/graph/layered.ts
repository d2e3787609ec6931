/** Computes a layered layout from top to bottom with dagre, for the composition graph and the graph of the preview. */
import { Graph, layout } from '@dagrejs/dagre';
import { middleOf, type Point, type Rect, type Size } from './view.ts';

export interface LayeredBox extends Size {
  /** The ends of edges at both sides of the box; by default beside each other. */
  readonly ends?: { readonly top: EndPlace; readonly bottom: EndPlace } | undefined;
}

/** `beside`: in a row around the middle. `straight`: vertically above or below the next bend of the edge. */
export type EndPlace = 'beside' | 'middle' | 'straight';

export interface LayeredEdge {
  readonly from: string;
  readonly to: string;
  /** The size of the label. */
  readonly label: Size;
}

export interface Layered extends Size {
  readonly boxes: ReadonlyMap<string, Rect>;
  /** The routes in the order of the edges. */
  readonly routes: readonly LayeredRoute[];
}

export interface LayeredRoute {
  /** The points from the bottom of a box to the top of the other; in the row of a box or label, a route is vertical. */
  readonly points: readonly Point[];
  /** The centre of the label. */
  readonly label: Point;
}

/** The data that dagre returns for an edge. The first and last point are on the outlines of the boxes. */
type DagreEdge = Point & { readonly points: readonly Point[] };

export function layered(nodes: ReadonlyMap<string, LayeredBox>, edges: readonly LayeredEdge[]): Layered {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 48, edgesep: 16, ranker: 'tight-tree' });
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
  const laid = edges.map(({ from, to }, at): DagreEdge => {
    const { points, x, y } = graph.edge(from, to, String(at)) as unknown as { points: Point[] } & Point;
    return { points: points.map(placed), ...placed({ x, y }) };
  });
  return { boxes, routes: routesOf(edges, laid, boxes, nodes), width: Math.ceil(width), height: Math.ceil(height) };
}

/**
 * Returns the routes of edges. A route crosses the rows of boxes and labels vertically, so that it touches no box and
 * no label of another edge.
 */
function routesOf(
  edges: readonly LayeredEdge[],
  laid: readonly DagreEdge[],
  boxes: ReadonlyMap<string, Rect>,
  nodes: ReadonlyMap<string, LayeredBox>,
): readonly LayeredRoute[] {
  const rows = new Map<number, number>();
  const addRow = (middle: number, height: number): void => {
    rows.set(Math.round(middle), Math.max(halfHeight(middle), height / 2));
  };
  const halfHeight = (middle: number): number => rows.get(Math.round(middle)) ?? 0;
  for (const { y, height } of boxes.values()) addRow(y + height / 2, height);
  for (const [at, { label }] of edges.entries()) addRow(laid[at]?.y ?? 0, label.height);
  const endAt = (id: string, next: Point | undefined): End | undefined => {
    const box = boxes.get(id);
    if (!box || !next) return undefined;
    const side = next.y > box.y + box.height / 2 ? 'bottom' : 'top';
    return { box, side, toward: next.x, place: nodes.get(id)?.ends?.[side] ?? 'beside' };
  };
  const ends = edges.map(({ from, to }, at) => {
    if (from === to) return [];
    const between = laid[at]?.points.slice(1, -1) ?? [];
    return [endAt(from, between[0]), endAt(to, between.at(-1))];
  });
  const columns = columnsOf(ends.flat());
  return laid.map(({ points, x, y }, at) => {
    const [start, end] = ends[at] ?? [];
    if (!start || !end) return { points, label: { x, y } };
    const by = start.side === 'bottom' ? 1 : -1;
    const across = (point: Point): readonly Point[] => {
      const half = halfHeight(point.y);
      return half === 0 ? [point] : [-half, half].map((beside) => ({ x: point.x, y: point.y + by * beside }));
    };
    const outOfRow = (one: End): readonly Point[] => {
      const { y, height } = one.box;
      const away = one.side === 'bottom' ? 1 : -1;
      const middle = y + height / 2;
      const column = columns.get(one) ?? 0;
      return [height / 2, halfHeight(middle)].map((beside) => ({ x: column, y: middle + away * beside }));
    };
    const between = points.slice(1, -1).flatMap(across);
    return { points: [...outOfRow(start), ...between, ...outOfRow(end).toReversed()], label: { x, y } };
  });
}

/** The end of a route at a box. */
interface End {
  readonly box: Rect;
  readonly side: 'top' | 'bottom';
  /** The horizontal position of the route beside the box's row. */
  readonly toward: number;
  readonly place: EndPlace;
}

/** The usual distance between two ends at a box, and the space without ends at both corners, in pixels. */
const [BETWEEN_ENDS, AT_CORNERS] = [24, 16];

/** Returns the horizontal positions of ends. Ends beside each other are in the order of their routes. */
function columnsOf(ends: readonly (End | undefined)[]): ReadonlyMap<End, number> {
  const sides = new Map<Rect, Readonly<Record<End['side'], End[]>>>();
  for (const end of ends) {
    if (!end) continue;
    const own = sides.get(end.box) ?? { top: [], bottom: [] };
    own[end.side].push(end);
    sides.set(end.box, own);
  }
  const columns = new Map<End, number>();
  for (const [box, { top, bottom }] of sides) {
    for (const side of [top, bottom]) {
      const step = Math.min(BETWEEN_ENDS, (box.width - AT_CORNERS) / side.length);
      side.sort((a, b) => a.toward - b.toward);
      for (const [nth, end] of side.entries()) {
        const beside = middleOf(box) + (nth - (side.length - 1) / 2) * step;
        columns.set(end, { beside, middle: middleOf(box), straight: end.toward }[end.place]);
      }
    }
  }
  return columns;
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

/** The number of lines after which text is cut. Only text that is not meant for a label is that long. */
const MOST_LINES = 12;

/**
 * Wraps text into lines of at most `width` pixels, at spaces if possible. Text of more than `MOST_LINES` lines is cut,
 * and then ends with `…`.
 */
export function wrapped(text: string, large: boolean, width: number, measure: Measure): readonly string[] {
  const lines: string[] = [];
  let rest = text.replace(/\s+/g, ' ').trim();
  while (rest !== '' && lines.length < MOST_LINES) {
    let fits = Math.min(rest.length, 64);
    while (fits > 1 && measure(rest.slice(0, fits), large) > width) fits = Math.floor(fits * 0.9);
    const cut = fits < rest.length ? breakBefore(rest, fits) : fits;
    lines.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  const last = lines.length - 1;
  if (rest !== '' && last >= 0) lines[last] = `${lines[last]?.slice(0, -1)}…`;
  return lines;
}

/** Returns the last offset up to `end` for a line break: at a space, else before `.`, `/`, `-` or `_`, else `end`. */
function breakBefore(text: string, end: number): number {
  const space = text.lastIndexOf(' ', end);
  if (space > end / 2) return space;
  const sign = Math.max(...['.', '/', '-', '_'].map((one) => text.lastIndexOf(one, end)));
  if (sign > end / 2) return sign;
  // A surrogate pair is one character.
  return end > 1 && /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}
