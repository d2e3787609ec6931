/** The curves of the edges between cards that have their places, and where the edges' labels have room. */
import type { Arrangement, Point, Rect } from './layout-shelf.ts';
import type { Way } from './rows.ts';

export interface Route {
  /** The `d` of an SVG path. */
  readonly path: string;
  /** What the curve lies in. */
  readonly bounds: Rect;
  /** The middle of the label; undefined where there is no label, or no room for it. */
  readonly label: Point | undefined;
}

export const LABEL_HEIGHT = 16;

/** `labelWidths` in pixels, by edge; 0 for none. Labels of greater `weights` are placed first. */
export function routesOf(
  { boxes, stops }: Arrangement,
  ways: readonly Way[],
  labelWidths: readonly number[],
  weights: readonly number[],
): readonly Route[] {
  const leave = portsOf(ways, boxes, 'from', (edge, { to }) => stops[edge]?.[0]?.x ?? middleOf(boxes.get(to)));
  const enter = portsOf(ways, boxes, 'to', (edge, { from }) => stops[edge]?.at(-1)?.x ?? middleOf(boxes.get(from)));
  const curves = ways.map(({ from, to }, edge): Curve => {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    if (!start || !end) return { path: '', points: [] };
    if (from === to) return selfLoop(start);
    const [x1, x2] = [leave.get(edge) ?? 0, enter.get(edge) ?? 0];
    if (start.y + start.height <= end.y)
      return downward({ x: x1, y: start.y + start.height }, stops[edge] ?? [], { x: x2, y: end.y });
    return start.y < end.y + end.height ? sideways(start, end) : upward(start, end);
  });
  const room = createRoom(boxes.values());
  const labels = new Map<number, Point>();
  const order = ways.map((_, edge) => edge).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
  for (const edge of order) {
    const width = labelWidths[edge] ?? 0;
    const at = width === 0 ? undefined : curves[edge]?.points.find((point) => room.isFree(around(point, width)));
    if (!at) continue;
    room.take(around(at, width));
    labels.set(edge, at);
  }
  return curves.map(({ path, points }, edge) => ({ path, bounds: boundsOf(points), label: labels.get(edge) }));
}

/** A curve, and points on it where a label may stand, the best first. */
interface Curve {
  readonly path: string;
  readonly points: readonly Point[];
}

const middleOf = (box: Rect | undefined): number => (box ? box.x + box.width / 2 : 0);

/** Edges at one side of a card stand beside one another, in the order in which they come or go. */
function portsOf(
  ways: readonly Way[],
  boxes: ReadonlyMap<string, Rect>,
  end: 'from' | 'to',
  otherOf: (edge: number, way: Way) => number,
): ReadonlyMap<number, number> {
  const edges = new Map<string, number[]>();
  for (const [edge, way] of ways.entries()) {
    const own = edges.get(way[end]);
    if (own) own.push(edge);
    else edges.set(way[end], [edge]);
  }
  const ports = new Map<number, number>();
  for (const [id, own] of edges) {
    const box = boxes.get(id);
    if (!box) continue;
    const others = new Map(own.map((edge) => [edge, otherOf(edge, ways[edge] as Way)]));
    const sorted = [...own].sort((a, b) => (others.get(a) ?? 0) - (others.get(b) ?? 0));
    const step = Math.min(16, (box.width - 32) / Math.max(1, sorted.length - 1));
    for (const [at, edge] of sorted.entries()) ports.set(edge, middleOf(box) + (at - (sorted.length - 1) / 2) * step);
  }
  return ports;
}

function downward(
  start: Point,
  stops: readonly { readonly x: number; readonly top: number; readonly bottom: number }[],
  end: Point,
): Curve {
  let path = `M${round(start.x)} ${round(start.y)}`;
  let last = start;
  const points: Point[] = [];
  const curveTo = (next: Point): void => {
    const half = (last.y + next.y) / 2;
    path += `C${round(last.x)} ${round(half)} ${round(next.x)} ${round(half)} ${round(next.x)} ${round(next.y)}`;
    points.unshift(...[0.55, 0.7, 0.4].map((share) => onCurve(last, next, share)));
    last = next;
  };
  for (const { x, top, bottom } of stops) {
    curveTo({ x, y: top });
    path += `V${round(bottom)}`;
    last = { x, y: bottom };
  }
  curveTo(end);
  return { path, points: [...points, start, end] };
}

/** A point of the curve between two points that leaves and arrives upright. */
function onCurve(from: Point, to: Point, share: number): Point {
  const rest = 1 - share;
  const late = share * share * (3 * rest + share);
  const half = 3 * rest * share * 0.5;
  return {
    x: from.x + (to.x - from.x) * late,
    y: rest ** 3 * from.y + half * (from.y + to.y) + share ** 3 * to.y,
  };
}

/** Two cards of a row: under both, the farther the deeper. */
function sideways(from: Rect, to: Rect): Curve {
  const by = middleOf(from) < middleOf(to) ? 1 : -1;
  const [x1, x2] = [middleOf(from) + by * 16, middleOf(to) - by * 16];
  const [y1, y2] = [from.y + from.height, to.y + to.height];
  // Two cards that compose one another have two curves.
  const low = Math.max(y1, y2) + Math.min(72, 24 + Math.abs(x2 - x1) / 16) + (by < 0 ? 16 : 0);
  const lowest = (y1 + y2) / 8 + low * 0.75;
  const points = [
    ...[0, 0.2, -0.2].map((share) => ({ x: (x1 + x2) / 2 + share * (x2 - x1), y: lowest })),
    { x: x1, y: y1 },
    { x: x2, y: y2 },
  ];
  const path = `M${round(x1)} ${round(y1)}C${round(x1)} ${round(low)} ${round(x2)} ${round(low)} ${round(x2)} ${round(y2)}`;
  return { path, points };
}

/** Back to a card above: around the right. */
function upward(from: Rect, to: Rect): Curve {
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x + to.width, y: to.y + to.height / 2 };
  const far = Math.max(start.x, end.x) + 48;
  const middle = { x: (start.x + end.x + 6 * far) / 8, y: (start.y + end.y) / 2 };
  const path = `M${round(start.x)} ${round(start.y)}C${round(far)} ${round(start.y)} ${round(far)} ${round(end.y)} ${round(end.x)} ${round(end.y)}`;
  return { path, points: [middle, start, end] };
}

function selfLoop({ x, y, width, height }: Rect): Curve {
  const [right, middle] = [x + width, y + height / 2];
  const path = `M${round(right)} ${round(middle - 8)}C${round(right + 32)} ${round(middle - 24)} ${round(right + 32)} ${round(middle + 24)} ${round(right)} ${round(middle + 8)}`;
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

/** What is taken of the plane, by cells, so that a question looks at its neighbourhood alone. */
function createRoom(taken: Iterable<Rect>) {
  const cells = new Map<number, Rect[]>();
  const cellsOf = ({ x, y, width, height }: Rect): readonly number[] => {
    const found: number[] = [];
    for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column++) {
      // No drawing is a million cells high.
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
  for (const rect of taken) take(rect);
  return {
    take,
    isFree: (rect: Rect): boolean =>
      !cellsOf(rect).some((cell) => cells.get(cell)?.some((other) => crosses(rect, other))),
  };
}

export const crosses = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const round = (value: number): number => Math.round(value * 10) / 10;
