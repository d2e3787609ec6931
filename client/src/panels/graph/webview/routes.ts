/** Routes the edges of a layout as curves, and finds free places for their labels. */
import { middleOf, overlaps, type Point, type Rect, rounded } from '../../kit/geometry.ts';
import type { Layout, Waypoint } from './layout-shelf.ts';
import { groupedBy, type LayoutEdge } from './rows.ts';

export interface Route {
  /** The `d` of an SVG path. */
  readonly path: string;
  /** Contains the curve. */
  readonly bounds: Rect;
  /** The middle of the label; undefined without a label, or without room for it. */
  readonly label: Point | undefined;
}

export const LABEL_HEIGHT = 16;

/** `labelWidths` by edge in pixels, 0 for no label. Labels of greater `weights` are placed first. */
export function routesOf(
  { boxes, waypoints }: Layout,
  edges: readonly LayoutEdge[],
  labelWidths: readonly number[],
  weights: readonly number[],
): readonly Route[] {
  const leave = portsOf(edges, boxes, 'from', (edge, { to }) => waypoints[edge]?.[0]?.x ?? middleOfCard(boxes.get(to)));
  const enter = portsOf(
    edges,
    boxes,
    'to',
    (edge, { from }) => waypoints[edge]?.at(-1)?.x ?? middleOfCard(boxes.get(from)),
  );
  const curves = edges.map(({ from, to }, edge): Curve => {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    if (!start || !end) return { path: '', points: [] };
    if (from === to) return selfLoop(start);
    const [x1, x2] = [leave.get(edge) ?? 0, enter.get(edge) ?? 0];
    if (start.y + start.height <= end.y)
      return downward({ x: x1, y: start.y + start.height }, waypoints[edge] ?? [], { x: x2, y: end.y });
    return start.y < end.y + end.height ? sideways(start, end) : upward(start, end);
  });
  const occupancy = createOccupancy(boxes.values());
  const labels = new Map<number, Point>();
  const order = edges.map((_, edge) => edge).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
  for (const edge of order) {
    const width = labelWidths[edge] ?? 0;
    const at = width === 0 ? undefined : curves[edge]?.points.find((point) => occupancy.isFree(around(point, width)));
    if (!at) continue;
    occupancy.take(around(at, width));
    labels.set(edge, at);
  }
  return curves.map(({ path, points }, edge) => ({ path, bounds: boundsOf(points), label: labels.get(edge) }));
}

/** A curve, and the points of it where a label may be, the best first. */
interface Curve {
  readonly path: string;
  readonly points: readonly Point[];
}

const middleOfCard = (box: Rect | undefined): number => (box ? middleOf(box) : 0);

/** Distributes the edges at one side of a card, in the order of their other ends. */
function portsOf(
  edges: readonly LayoutEdge[],
  boxes: ReadonlyMap<string, Rect>,
  end: 'from' | 'to',
  otherEnd: (index: number, edge: LayoutEdge) => number,
): ReadonlyMap<number, number> {
  const byCard = groupedBy([...edges.keys()], (edge) => edges[edge]?.[end] ?? '');
  const ports = new Map<number, number>();
  for (const [id, own] of byCard) {
    const box = boxes.get(id);
    if (!box) continue;
    const others = new Map(own.map((edge) => [edge, otherEnd(edge, edges[edge] as LayoutEdge)]));
    const sorted = [...own].sort((a, b) => (others.get(a) ?? 0) - (others.get(b) ?? 0));
    const step = Math.min(16, (box.width - 32) / Math.max(1, sorted.length - 1));
    for (const [at, edge] of sorted.entries()) ports.set(edge, middleOf(box) + (at - (sorted.length - 1) / 2) * step);
  }
  return ports;
}

function downward(start: Point, waypoints: readonly Waypoint[], end: Point): Curve {
  let path = `M${rounded(start.x)} ${rounded(start.y)}`;
  let last = start;
  const points: Point[] = [];
  const curveTo = (next: Point): void => {
    const half = (last.y + next.y) / 2;
    path += `C${rounded(last.x)} ${rounded(half)} ${rounded(next.x)} ${rounded(half)} ${rounded(next.x)} ${rounded(next.y)}`;
    points.unshift(...[0.55, 0.7, 0.4].map((share) => onCurve(last, next, share)));
    last = next;
  };
  for (const { x, top, bottom } of waypoints) {
    curveTo({ x, y: top });
    path += `V${rounded(bottom)}`;
    last = { x, y: bottom };
  }
  curveTo(end);
  return { path, points: [...points, start, end] };
}

/** A point of the curve between two points, which is vertical at both ends. */
function onCurve(from: Point, to: Point, share: number): Point {
  const rest = 1 - share;
  const late = share * share * (3 * rest + share);
  const half = 3 * rest * share * 0.5;
  return {
    x: from.x + (to.x - from.x) * late,
    y: rest ** 3 * from.y + half * (from.y + to.y) + share ** 3 * to.y,
  };
}

/** Between two cards of a row: below both, deeper the farther they are apart. */
function sideways(from: Rect, to: Rect): Curve {
  const by = middleOf(from) < middleOf(to) ? 1 : -1;
  const [x1, x2] = [middleOf(from) + by * 16, middleOf(to) - by * 16];
  const [y1, y2] = [from.y + from.height, to.y + to.height];
  // Curves in both directions between two cards have different depths.
  const low = Math.max(y1, y2) + Math.min(72, 24 + Math.abs(x2 - x1) / 16) + (by < 0 ? 16 : 0);
  const lowest = (y1 + y2) / 8 + low * 0.75;
  const points = [
    ...[0, 0.2, -0.2].map((share) => ({ x: (x1 + x2) / 2 + share * (x2 - x1), y: lowest })),
    { x: x1, y: y1 },
    { x: x2, y: y2 },
  ];
  const path = `M${rounded(x1)} ${rounded(y1)}C${rounded(x1)} ${rounded(low)} ${rounded(x2)} ${rounded(low)} ${rounded(x2)} ${rounded(y2)}`;
  return { path, points };
}

/** To a card above, around the right side. */
function upward(from: Rect, to: Rect): Curve {
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x + to.width, y: to.y + to.height / 2 };
  const far = Math.max(start.x, end.x) + 48;
  const middle = { x: (start.x + end.x + 6 * far) / 8, y: (start.y + end.y) / 2 };
  const path = `M${rounded(start.x)} ${rounded(start.y)}C${rounded(far)} ${rounded(start.y)} ${rounded(far)} ${rounded(end.y)} ${rounded(end.x)} ${rounded(end.y)}`;
  return { path, points: [middle, start, end] };
}

function selfLoop({ x, y, width, height }: Rect): Curve {
  const [right, middle] = [x + width, y + height / 2];
  const path = `M${rounded(right)} ${rounded(middle - 8)}C${rounded(right + 32)} ${rounded(middle - 24)} ${rounded(right + 32)} ${rounded(middle + 24)} ${rounded(right)} ${rounded(middle + 8)}`;
  return {
    path,
    points: [
      { x: right + 24, y: middle + 28 },
      { x: right, y: middle - 24 },
    ],
  };
}

const around = ({ x, y }: Point, width: number): Rect => ({
  x: x - width / 2,
  y: y - LABEL_HEIGHT / 2,
  width,
  height: LABEL_HEIGHT,
});

function boundsOf(points: readonly Point[]): Rect {
  if (points.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

const CELL = 128;

/** The occupied rectangles, in a grid of cells so that a lookup only reads the neighbourhood. */
function createOccupancy(rects: Iterable<Rect>) {
  const cells = new Map<number, Rect[]>();
  const cellsOf = ({ x, y, width, height }: Rect): readonly number[] => {
    const found: number[] = [];
    for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column++) {
      // A key of both numbers; no drawing is a million cells high.
      for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row++)
        found.push(column * 1e6 + row);
    }
    return found;
  };
  const take = (rect: Rect): void => {
    for (const cell of cellsOf(rect)) {
      const rects = cells.get(cell);
      if (rects) rects.push(rect);
      else cells.set(cell, [rect]);
    }
  };
  for (const rect of rects) take(rect);
  return {
    take,
    isFree: (rect: Rect): boolean =>
      !cellsOf(rect).some((cell) => cells.get(cell)?.some((other) => overlaps(rect, other))),
  };
}
