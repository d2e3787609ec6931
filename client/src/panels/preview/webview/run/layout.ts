/**
 * Lays out a graph in pixels. An expanded composed skill has its own layout, and is one large box in the outer graph.
 */

import { layered, type Measure } from '../../../kit/graph/layered.ts';
import type { Point, Rect, Size } from '../../../kit/graph/view.ts';
import { t } from '../../../kit/l10n.ts';
import type { GraphEdge, ShownInterrupt, ShownNode, ShownSubgraph } from '../../messages.ts';
import { canRun, descriptionOf, edgeLabel, interruptsAt, nodeText } from './text.ts';

export interface Line {
  readonly text: string;
  readonly large: boolean;
}

export interface Box extends Rect {
  /** The node IDs from the outermost graph, joined with `/`; unique in the drawing. */
  readonly path: string;
  readonly node: ShownNode;
  /** The description for screen readers. */
  readonly description: string;
  readonly lines: readonly Line[];
  readonly interrupts: readonly ShownInterrupt[];
  /** True for a composed skill that can be expanded. */
  readonly isExpandable: boolean;
  readonly isExpanded: boolean;
  /** False for a node that needs a tool that the caller may not use, or a skill that is not in the workspace. */
  readonly canRun: boolean;
}

export interface Route {
  readonly from: string;
  readonly to: string;
  readonly edge: GraphEdge;
  readonly points: readonly Point[];
  readonly label: { readonly lines: readonly string[]; readonly at: Point } | undefined;
}

export interface Drawing {
  /** The boxes; outer boxes come before the boxes inside them. */
  readonly boxes: readonly Box[];
  readonly routes: readonly Route[];
  readonly width: number;
  readonly height: number;
}

export const LINE = { large: 18, small: 16 };
export const CIRCLE = 12;
const PAD = 12;
const WIDEST = 200;

export interface LayoutOptions {
  /** The paths of the expanded skills. */
  readonly expanded: ReadonlySet<string>;
  /** The tools that the caller may not use. */
  readonly denied: readonly string[];
  readonly measure: Measure;
}

/** Lays out a subgraph. `above` is the path prefix of the subgraph. */
export function layoutShape(shape: ShownSubgraph, options: LayoutOptions, above = ''): Drawing {
  const { measure } = options;
  const drafts = new Map(shape.nodes.map((node) => [node.id, draftOf(node, shape, options, above)]));
  const all = shape.edges.filter(({ from, to }) => drafts.has(from) && drafts.has(to));
  // A cancelled node starts in parallel with the node that cancels it, so cancel edges do not affect the ranks.
  const edges = all.filter(({ kind }) => kind !== 'cancel');
  const labels = edges.map((edge) => labelOf(edge, measure));
  const laid = layered(
    drafts,
    edges.map(({ from, to }, at) => ({ from, to, label: sizeOf(labels[at] ?? [], measure) })),
  );
  const boxes: Box[] = [];
  const routes: Route[] = [];
  for (const [id, draft] of drafts) {
    const { inner, ...box } = draft;
    const description = descriptionOf(box.node, shape, box.lines.map(({ text }) => text).join(' '));
    const placed: Box = { ...box, description, x: 0, y: 0, ...laid.boxes.get(id) };
    boxes.push(placed);
    if (!inner) continue;
    const by = { x: placed.x + PAD, y: placed.y + headHeight(draft.lines) };
    boxes.push(...inner.boxes.map((one) => ({ ...one, ...moved(one, by) })));
    routes.push(...inner.routes.map((one) => movedRoute(one, by)));
  }
  const byPath = new Map(boxes.map((box) => [box.path, box]));
  const own: Route[] = edges.map((edge, at) => {
    const { points = [], label: middle } = laid.routes[at] ?? {};
    const lines = labels[at] ?? [];
    const label = lines.length === 0 || !middle ? undefined : { lines, at: middle };
    return { from: above + edge.from, to: above + edge.to, edge, points, label };
  });
  const cancels = all.filter(({ kind }) => kind === 'cancel').flatMap((edge) => cancelRoute(edge, byPath, above));
  const bars = widenBars(own, byPath);
  return {
    boxes: boxes.map((box) => bars.get(box.path) ?? box),
    routes: [...routes, ...own.map((route) => withEndsAtShapes(route, byPath, bars)), ...cancels],
    width: laid.width,
    height: laid.height,
  };
}

/**
 * Returns the route of a cancel edge: from the bottom of one box to the bottom of another, below the boxes between
 * them.
 */
function cancelRoute(edge: GraphEdge, boxes: ReadonlyMap<string, Box>, above: string): readonly Route[] {
  const [from, to] = [boxes.get(above + edge.from), boxes.get(above + edge.to)];
  if (!from || !to) return [];
  const side = to.x < from.x ? -1 : 1;
  const start = { x: from.x + from.width / 2 + side * PAD, y: from.y + from.height };
  const end = { x: to.x + to.width / 2 - side * PAD, y: to.y + to.height };
  const dip = { x: (start.x + end.x) / 2, y: Math.max(start.y, end.y) + PAD * 2 };
  return [{ from: from.path, to: to.path, edge, points: [start, dip, end], label: undefined }];
}

type Draft = Omit<Box, 'x' | 'y' | 'description'> & { readonly inner: Drawing | undefined };

function draftOf(node: ShownNode, shape: ShownSubgraph, options: LayoutOptions, above: string): Draft {
  const { expanded, denied, measure } = options;
  const path = above + node.id;
  const isExpandable = node.subgraph !== undefined;
  const isExpanded = isExpandable && expanded.has(path);
  const { title, lines } = nodeText(node, shape, denied);
  const wrapped: Line[] = [...wrap(title, true, measure, 2), ...lines.flatMap((line) => wrap(line, false, measure, 4))];
  const inner = isExpanded && node.subgraph ? layoutShape(node.subgraph, options, `${path}/`) : undefined;
  const common = {
    path,
    node,
    interrupts: interruptsAt(shape, node),
    isExpandable,
    isExpanded,
    canRun: canRun(node, denied),
    inner,
  };
  const text = Math.max(...wrapped.map((line) => measure(line.text, line.large)), 0);
  if (node.kind === 'branch') return { ...common, lines: [], width: 40, height: 32 };
  if (node.kind === 'join') return { ...common, lines: [], width: 64, height: 4 };
  if (node.kind === 'parallel' || node.kind === 'speculate') {
    const label = wrap(title, false, measure, 1);
    return { ...common, lines: label, width: Math.max(64, text), height: LINE.small + 8 };
  }
  if (node.kind === 'check_exit') {
    const small = wrap(title, false, measure, 3);
    const width = Math.max(CIRCLE * 2, ...small.map((line) => measure(line.text, false)));
    return { ...common, lines: small, width, height: CIRCLE * 2 + 4 + small.length * LINE.small };
  }
  const sign = isExpandable ? 16 : 0;
  const flags = common.interrupts.length > 0 ? 16 : 0;
  const width = Math.max(96, text + PAD * 2 + sign + flags, inner ? inner.width + PAD * 2 : 0);
  return {
    ...common,
    lines: wrapped,
    width,
    height: inner ? headHeight(wrapped) + inner.height + PAD : headHeight(wrapped),
  };
}

const headHeight = (lines: readonly Line[]): number =>
  lines.reduce((sum, { large }) => sum + (large ? LINE.large : LINE.small), 0) + 12;

const labelOf = ({ condition, label, kind }: GraphEdge, measure: Measure): string[] => {
  const named = label === undefined ? undefined : edgeLabel(label);
  const text = condition ?? named ?? (kind === 'branch' ? t('else') : '');
  return text === '' ? [] : wrap(text, false, measure, 2).map((line) => line.text);
};

const sizeOf = (lines: readonly string[], measure: Measure): Size => ({
  width: lines.length === 0 ? 0 : Math.max(...lines.map((line) => measure(line, false))) + 12,
  height: lines.length * LINE.small,
});

/** Returns the last offset up to `end` for a line break: at a space, else before `.`, `/`, `-` or `_`, else `end`. */
function breakBefore(text: string, end: number): number {
  const space = text.lastIndexOf(' ', end);
  if (space > end / 2) return space;
  const sign = Math.max(...['.', '/', '-', '_'].map((one) => text.lastIndexOf(one, end)));
  return sign > end / 2 ? sign : end;
}

/**
 * Wraps a string into at most `most` lines of at most `WIDEST` pixels, at spaces if possible. A shortened string ends
 * with `…`.
 */
function wrap(text: string, large: boolean, measure: Measure, most: number): Line[] {
  const lines: string[] = [];
  let rest = text.replace(/\s+/g, ' ').trim();
  while (rest !== '' && lines.length < most) {
    let fits = Math.min(rest.length, 64);
    while (fits > 1 && measure(rest.slice(0, fits), large) > WIDEST) fits = Math.floor(fits * 0.9);
    const cut = fits < rest.length ? breakBefore(rest, fits) : fits;
    lines.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  const last = lines.length - 1;
  if (rest !== '' && last >= 0) lines[last] = `${lines[last]?.slice(0, -1)}…`;
  return lines.map((line) => ({ text: line, large }));
}

const moved = ({ x, y }: Point, by: Point): Point => ({ x: x + by.x, y: y + by.y });

const movedRoute = (route: Route, by: Point): Route => ({
  ...route,
  points: route.points.map((point) => moved(point, by)),
  label: route.label && { ...route.label, at: moved(route.label.at, by) },
});

/** Widens each bar of parallel steps so that it extends over all nodes that start or end at the bar. */
function widenBars(routes: readonly Route[], boxes: ReadonlyMap<string, Box>): ReadonlyMap<string, Box> {
  const bars = new Map<string, Box>();
  for (const box of boxes.values()) {
    const begins = box.node.kind === 'parallel' || box.node.kind === 'speculate';
    if (!begins && box.node.kind !== 'join') continue;
    const others = routes.filter((route) => (begins ? route.from : route.to) === box.path);
    const middles = others.flatMap((route) => {
      const other = boxes.get(begins ? route.to : route.from);
      return other ? [other.x + other.width / 2] : [];
    });
    const left = Math.min(box.x, ...middles.map((x) => x - 12));
    const right = Math.max(box.x + box.width, ...middles.map((x) => x + 12));
    bars.set(box.path, { ...box, x: left, width: right - left });
  }
  return bars;
}

/** Moves the ends of a route to the drawn shapes of its nodes, because dagre supports only rectangles. */
function withEndsAtShapes(route: Route, boxes: ReadonlyMap<string, Box>, bars: ReadonlyMap<string, Box>): Route {
  const points = [...route.points];
  const end = points.length - 1;
  const moveEnd = (at: number, next: number, path: string): void => {
    const box = bars.get(path) ?? boxes.get(path);
    const toward = points[next];
    if (box && toward) points[at] = endAt(box, toward, points[at] ?? toward, next < at);
  };
  if (end > 0) {
    moveEnd(0, 1, route.from);
    moveEnd(end, end - 1, route.to);
  }
  return { ...route, points };
}

function endAt(box: Box, toward: Point, old: Point, enters: boolean): Point {
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  if (box.node.kind === 'branch') {
    const [dx, dy] = [toward.x - middle.x, toward.y - middle.y];
    const share = Math.abs(dx) / (box.width / 2) + Math.abs(dy) / (box.height / 2);
    return share === 0 ? middle : { x: middle.x + dx / share, y: middle.y + dy / share };
  }
  if (box.node.kind === 'check_exit' && enters) return { x: middle.x, y: box.y };
  if (['parallel', 'speculate', 'join'].includes(box.node.kind)) {
    const x = Math.min(box.x + box.width - 4, Math.max(box.x + 4, toward.x));
    return { x, y: enters ? box.y : box.y + box.height };
  }
  return old;
}
