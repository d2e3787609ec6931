/**
 * Lays out a graph in pixels. An expanded composed skill has its own layout, and is one large box in the outer graph.
 */

import { type LayeredBox, layered, type Measure, wrapped } from '../../../kit/graph/layered.ts';
import type { Point, Rect, Size } from '../../../kit/graph/view.ts';
import { t } from '../../../kit/l10n.ts';
import { canRun, type DrawnEdge, type DrawnNode, type DrawnShape, descriptionOf, edgeLabel, nodeText } from './text.ts';

export interface Line {
  readonly text: string;
  readonly large: boolean;
}

export interface Box extends Rect {
  /** The node IDs from the outermost graph, joined with `/`; unique in the drawing. */
  readonly path: string;
  readonly node: DrawnNode;
  readonly title: string;
  /** The description for screen readers. */
  readonly description: string;
  readonly lines: readonly Line[];
  /** True for a composed skill that can be expanded. */
  readonly isExpandable: boolean;
  readonly isExpanded: boolean;
  /** False for a node that needs a tool that the caller may not use, or a skill that is not in the workspace. */
  readonly canRun: boolean;
}

export interface Route {
  readonly from: string;
  readonly to: string;
  readonly edge: DrawnEdge;
  readonly points: readonly Point[];
  readonly label: { readonly lines: readonly string[]; readonly box: Rect } | undefined;
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
/** The height of the bar of parallel steps. */
export const BAR = 4;
/** True for the nodes that begin parallel steps. They are drawn as a bar below their label. */
export const isFork = (kind: DrawnNode['kind']): boolean => kind === 'parallel' || kind === 'speculate';

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
export function layoutShape(shape: DrawnShape, options: LayoutOptions, above = ''): Drawing {
  const { measure } = options;
  const drafts = new Map(shape.nodes.map((node) => [node.id, draftOf(node, shape, options, above)]));
  const all = shape.edges.filter(({ from, to }) => drafts.has(from) && drafts.has(to));
  // A cancelled node starts in parallel with the node that cancels it, so cancel edges do not affect the ranks.
  const edges = all.filter(({ kind }) => kind !== 'cancel');
  const labels = edges.map((edge) => labelOf(edge, measure));
  const laid = layered(
    new Map([...drafts].map(([id, { width, height, node }]) => [id, { width, height, ends: endsOf(node) }])),
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
    const size = sizeOf(lines, measure);
    const box = middle && { ...size, x: middle.x - size.width / 2, y: middle.y - size.height / 2 };
    const label = lines.length === 0 || !box ? undefined : { lines, box };
    return { from: above + edge.from, to: above + edge.to, edge, points, label };
  });
  const cancels = all.filter(({ kind }) => kind === 'cancel').flatMap((edge) => cancelRoute(edge, byPath, above));
  const bars = widenBars(own, byPath);
  return {
    boxes: boxes.map((box) => bars.get(box.path) ?? box),
    routes: [...routes, ...own.map((route) => toBar(route, byPath)), ...cancels],
    width: laid.width,
    height: laid.height,
  };
}

/**
 * Returns the route of a cancel edge: from the bottom of one box to the bottom of another, below the boxes between
 * them.
 */
function cancelRoute(edge: DrawnEdge, boxes: ReadonlyMap<string, Box>, above: string): readonly Route[] {
  const [from, to] = [boxes.get(above + edge.from), boxes.get(above + edge.to)];
  if (!from || !to) return [];
  const side = to.x < from.x ? -1 : 1;
  const start = { x: from.x + from.width / 2 + side * PAD, y: from.y + from.height };
  const end = { x: to.x + to.width / 2 - side * PAD, y: to.y + to.height };
  const dip = { x: (start.x + end.x) / 2, y: Math.max(start.y, end.y) + PAD * 2 };
  return [{ from: from.path, to: to.path, edge, points: [start, dip, end], label: undefined }];
}

type Draft = Omit<Box, 'x' | 'y' | 'description'> & { readonly inner: Drawing | undefined };

function draftOf(node: DrawnNode, shape: DrawnShape, options: LayoutOptions, above: string): Draft {
  const { expanded, denied, measure } = options;
  const path = above + node.id;
  const isExpandable = node.subgraph !== undefined;
  const isExpanded = isExpandable && expanded.has(path);
  const { title, lines } = nodeText(node, shape, denied);
  const linesOf = (line: string, large: boolean): readonly Line[] =>
    wrapped(line, large, WIDEST, measure).map((part) => ({ text: part, large }));
  const isSmall = isFork(node.kind) || node.kind === 'check_exit';
  const drawn = isSmall
    ? linesOf(title, false)
    : [...linesOf(title, true), ...lines.flatMap((line) => linesOf(line, false))];
  const inner = isExpanded && node.subgraph ? layoutShape(node.subgraph, options, `${path}/`) : undefined;
  const common = { path, node, title, lines: drawn, isExpandable, isExpanded, canRun: canRun(node, denied), inner };
  const text = Math.max(...drawn.map((line) => measure(line.text, line.large)), 0);
  switch (node.kind) {
    case 'branch':
      return { ...common, lines: [], width: 40, height: 32 };
    case 'join':
      return { ...common, lines: [], width: 64, height: BAR };
    case 'parallel':
    case 'speculate':
      return { ...common, width: Math.max(64, text), height: drawn.length * LINE.small + 4 + BAR };
    case 'check_exit':
      return {
        ...common,
        width: Math.max(CIRCLE * 2, text),
        height: CIRCLE * 2 + 4 + drawn.length * LINE.small,
      };
    default: {
      const sign = isExpandable || node.kind === 'interrupt' ? 16 : 0;
      return {
        ...common,
        width: Math.max(96, text + PAD * 2 + sign, inner ? inner.width + PAD * 2 : 0),
        height: headHeight(drawn) + (inner ? inner.height + PAD : 0),
      };
    }
  }
}

const headHeight = (lines: readonly Line[]): number =>
  lines.reduce((sum, { large }) => sum + (large ? LINE.large : LINE.small), 0) + 12;

function labelOf({ condition, label, kind }: DrawnEdge, measure: Measure): readonly string[] {
  const named = label === undefined ? undefined : edgeLabel(label);
  return wrapped(condition ?? named ?? (kind === 'branch' ? t('else') : ''), false, WIDEST, measure);
}

const sizeOf = (lines: readonly string[], measure: Measure): Size => ({
  width: lines.length === 0 ? 0 : Math.max(...lines.map((line) => measure(line, false))) + 12,
  height: lines.length * LINE.small,
});

const moved = ({ x, y }: Point, by: Point): Point => ({ x: x + by.x, y: y + by.y });

const movedRoute = (route: Route, by: Point): Route => ({
  ...route,
  points: route.points.map((point) => moved(point, by)),
  label: route.label && { ...route.label, box: { ...route.label.box, ...moved(route.label.box, by) } },
});

/** Widens each bar of parallel steps so that it extends over all nodes that start or end at the bar. */
function widenBars(routes: readonly Route[], boxes: ReadonlyMap<string, Box>): ReadonlyMap<string, Box> {
  const bars = new Map<string, Box>();
  for (const box of boxes.values()) {
    const begins = isFork(box.node.kind);
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

/** The ends of edges at shapes that are not rectangles. */
function endsOf({ kind }: DrawnNode): LayeredBox['ends'] {
  if (kind === 'branch' || kind === 'check_exit') return { top: 'middle', bottom: 'middle' };
  if (kind === 'join') return { top: 'straight', bottom: 'middle' };
  return isFork(kind) ? { top: 'middle', bottom: 'straight' } : undefined;
}

/** Extends a route to the bar of parallel steps, which is below its label. */
function toBar(route: Route, boxes: ReadonlyMap<string, Box>): Route {
  const [box, end] = [boxes.get(route.to), route.points.at(-1)];
  if (!box || !end || !isFork(box.node.kind)) return route;
  return { ...route, points: [...route.points.slice(0, -1), { x: end.x, y: box.y + box.height - BAR }] };
}
