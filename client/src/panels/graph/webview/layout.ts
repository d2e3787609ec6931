/** Where everything is drawn: connected cards in layers, groups of them on rows, and cards without an edge in a grid below. */
import type { Point, Rect } from '../../kit/graph/geometry.ts';
import { type LayeredEdge, layered } from '../../kit/graph/layered.ts';
import type { Size } from '../../kit/graph/view.ts';
import { components, MOST_CONNECTED } from './groups.ts';

export interface Route {
  readonly points: readonly Point[];
  /** The middle of its label. */
  readonly label: Point;
}

export interface Layout extends Size {
  readonly boxes: ReadonlyMap<string, Rect>;
  /** In the order of the edges; one among too many is not drawn. */
  readonly routes: readonly (Route | undefined)[];
  /** Where the second row of groups begins, or the grid. */
  readonly firstBottom: number;
  readonly gridTop: number;
}

const GAP = 16;
const GROUP_GAP = 40;
/** The room for the heading of the grid. */
const HEADING = 28;

/** `room` is the width to fill before what follows goes below. */
export function layoutOf(
  cards: readonly (Size & { readonly id: string })[],
  edges: readonly LayeredEdge[],
  room: number,
): Layout {
  const boxes = new Map<string, Rect>();
  const routes: (Route | undefined)[] = edges.map(() => undefined);
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const groups = components(cards, edges).filter(([first]) => first && connected.has(first.id));
  const isDrawn = ({ length }: readonly unknown[]): boolean => length <= MOST_CONNECTED;
  const laid = groups.filter(isDrawn).map((group) => layGroup(group, edges));
  // The largest first, since the rows of shelves are as high as their first groups.
  laid.sort((a, b) => b.height - a.height);
  const widest = Math.max(room, ...laid.map(({ width }) => width));
  let [x, y, rowHeight, width] = [0, 0, 0, 0];
  for (const group of laid) {
    if (x > 0 && x + group.width > widest) [x, y, rowHeight] = [0, y + rowHeight + GROUP_GAP, 0];
    const by = { x, y };
    for (const [id, box] of group.boxes) boxes.set(id, { ...box, ...moved(box, by) });
    for (const [nth, { points, label }] of group.routes.entries()) {
      const at = group.edges[nth];
      if (at !== undefined) routes[at] = { points: points.map((point) => moved(point, by)), label: moved(label, by) };
    }
    x += group.width + GROUP_GAP;
    width = Math.max(width, x - GROUP_GAP);
    rowHeight = Math.max(rowHeight, group.height);
  }
  const [firstGroup] = laid;
  const gridTop = laid.length > 0 ? y + rowHeight + GROUP_GAP + HEADING : 0;
  const inGrid = cards.filter(({ id }) => !boxes.has(id));
  const grid = layGrid(inGrid, room, gridTop, boxes);
  return {
    boxes,
    routes,
    firstBottom: firstGroup?.height ?? 1,
    gridTop,
    width: Math.max(width, grid.width),
    height: inGrid.length > 0 ? grid.height : y + rowHeight,
  };
}

function layGroup(group: readonly (Size & { readonly id: string })[], edges: readonly LayeredEdge[]) {
  const nodes = new Map(group.map((card) => [card.id, card]));
  const own = edges.flatMap(({ from }, at) => (nodes.has(from) ? [at] : []));
  return {
    ...layered(
      nodes,
      own.flatMap((at) => edges[at] ?? []),
    ),
    edges: own,
  };
}

function layGrid(
  cards: readonly (Size & { readonly id: string })[],
  room: number,
  top: number,
  boxes: Map<string, Rect>,
): Size {
  const column = Math.max(0, ...cards.map(({ width }) => width)) + GAP;
  const columns = Math.max(1, Math.floor((room + GAP) / column));
  let [y, width] = [top, 0];
  for (let first = 0; first < cards.length; first += columns) {
    const row = cards.slice(first, first + columns);
    for (const [nth, card] of row.entries()) {
      boxes.set(card.id, { x: nth * column, y, width: card.width, height: card.height });
      width = Math.max(width, nth * column + card.width);
    }
    y += Math.max(...row.map(({ height }) => height)) + GAP;
  }
  return { width, height: y - GAP };
}

const moved = ({ x, y }: Point, by: Point): Point => ({ x: x + by.x, y: y + by.y });
