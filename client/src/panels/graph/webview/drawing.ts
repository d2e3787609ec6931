/** Computes the drawing of the composition graph: the text and position of each card, edge and label. */

import { type LayeredEdge, layered, type Measure, wrapped } from '../../kit/graph/layered.ts';
import type { Point, Rect, Size } from '../../kit/graph/view.ts';
import type { ShownNode } from '../messages.ts';
import { canBeLayered, components, type Folders, type Item, type Link, type ShownGraph } from './folders.ts';
import { type ItemText, isWrong, itemText, linkLabel, type Nodes } from './text.ts';

export interface Card extends Rect {
  readonly id: string;
  readonly item: Item;
  /** The node of the card; undefined for a group. */
  readonly node: ShownNode | undefined;
  readonly rows: readonly CardRow[];
  /** The text of the rows before they were wrapped. */
  readonly text: ItemText;
}

/** A line of text on a card. */
export interface CardRow {
  readonly text: string;
  readonly kind: 'name' | 'fact' | 'problem';
  /** The base line, in pixels below the top of the card. */
  readonly y: number;
}

export interface DrawnLink extends Link {
  readonly id: string;
  readonly points: readonly Point[];
  readonly labelLines: readonly string[];
  readonly labelBox: Rect;
}

export interface Drawing extends Size {
  readonly cards: readonly Card[];
  readonly byId: ReadonlyMap<string, Card>;
  readonly links: readonly DrawnLink[];
  /** The card in the first row that composes the most skills. */
  readonly first: Card | undefined;
  /** The top of the grid of cards without edges, in pixels; undefined if all cards are in the grid. */
  readonly gridTop: number | undefined;
}

const PAD = 12;
/** The width of the icon before a problem, in pixels. */
export const ICON = 16;
const [NARROWEST, WIDEST] = [120, 260];
/** The maximum widths of labels, in pixels. Labels of problems and of edges through adapters can be wider. */
const WIDEST_LABEL = { usual: 160, long: 260 };
const MOST_LABELS = 80;
export const LINE = { first: 20, title: 18, next: 16 };

/** Computes the drawing. `room` is the visible width in pixels. */
export function drawingOf({ items, links }: ShownGraph, folders: Folders, measure: Measure, room: number): Drawing {
  const drafts = items.map((item) => draftOf(item, folders, measure));
  const nodes = nodesOf(items);
  // If there are many edges, labels take too much space, so only wrong edges have labels.
  const isShown = (link: Link): boolean => links.length <= MOST_LABELS || isWrong(link);
  const isLong = (link: Link): boolean => isWrong(link) || link.edges.some(({ adapter }) => adapter !== null);
  const labels = links.map((link) =>
    isShown(link) ? wrapped(linkLabel(link, nodes), false, WIDEST_LABEL[isLong(link) ? 'long' : 'usual'], measure) : [],
  );
  const layout = layoutOf(
    drafts,
    links.map(({ from, to }, at) => ({ from, to, label: labelSize(labels[at] ?? [], measure) })),
    room,
  );
  const cards = drafts.map((draft): Card => ({ ...draft, x: 0, y: 0, ...layout.boxes.get(draft.id) }));
  const countFrom = ({ id }: Card): number => links.filter(({ from }) => from === id).length;
  const isMixed = layout.gridTop > 0 && cards.some(({ y }) => y >= layout.gridTop);
  return {
    cards,
    byId: new Map(cards.map((card) => [card.id, card])),
    links: links.flatMap((link, at): readonly DrawnLink[] => {
      const route = layout.routes[at];
      if (!route) return [];
      const labelLines = labels[at] ?? [];
      const { width, height } = labelSize(labelLines, measure);
      const labelBox = { x: route.label.x - width / 2, y: route.label.y - height / 2, width, height };
      return [{ ...link, points: route.points, id: `${link.from} ${link.to}`, labelLines, labelBox }];
    }),
    first: cards
      .filter(({ y }) => y < layout.firstBottom)
      .reduce<Card | undefined>((best, one) => (best && countFrom(best) >= countFrom(one) ? best : one), undefined),
    gridTop: isMixed ? layout.gridTop : undefined,
    width: layout.width,
    height: layout.height,
  };
}

export const nodesOf = (items: readonly Item[]): Nodes =>
  new Map(items.flatMap((item) => item.nodes.map((node) => [node.id, node] as const)));

function draftOf(item: Item, folders: Folders, measure: Measure) {
  const text = itemText(item, folders);
  const rows: CardRow[] = [];
  let [width, y] = [NARROWEST, LINE.first - LINE.title];
  const addRows = (line: string, kind: CardRow['kind']): void => {
    const isTitle = kind === 'name';
    const left = PAD + (kind === 'problem' ? ICON : 0);
    for (const part of wrapped(line, isTitle, WIDEST - left - PAD, measure)) {
      y += isTitle ? LINE.title : LINE.next;
      rows.push({ text: part, kind, y });
      width = Math.max(width, left + measure(part, isTitle) + PAD);
    }
  };
  addRows(text.title, 'name');
  for (const line of text.lines) addRows(line, 'fact');
  addRows(text.problems.join(' · '), 'problem');
  return { id: item.id, item, node: item.opens ? undefined : item.nodes[0], rows, text, width, height: y + PAD };
}

const labelSize = (lines: readonly string[], measure: Measure): Size => ({
  width: lines.length === 0 ? 0 : Math.max(...lines.map((line) => measure(line, false))) + 8,
  height: lines.length * LINE.next,
});

// The layout: connected cards in layers, connected groups in rows, and cards without edges in a grid below.

interface Route {
  readonly points: readonly Point[];
  /** The centre of the label. */
  readonly label: Point;
}

interface Layout extends Size {
  readonly boxes: ReadonlyMap<string, Rect>;
  /** The routes in the order of the edges; undefined for an edge of a group that is too large to draw. */
  readonly routes: readonly (Route | undefined)[];
  /** The bottom of the first group, in pixels. */
  readonly firstBottom: number;
  readonly gridTop: number;
}

const GAP = 16;
const GROUP_GAP = 40;
/** The height of the heading of the grid, in pixels. */
const HEADING = 28;

/** Lays out the cards. `room` is the width in pixels at which a new row begins. */
export function layoutOf(
  cards: readonly (Size & { readonly id: string })[],
  edges: readonly LayeredEdge[],
  room: number,
): Layout {
  const boxes = new Map<string, Rect>();
  const routes: (Route | undefined)[] = edges.map(() => undefined);
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const groups = components(cards, edges).filter(([first]) => first && connected.has(first.id));
  const laid = groups.filter((group) => canBeLayered(group, edges)).map((group) => layGroup(group, edges));
  // Place the tallest groups first, because the first group in a row then determines the row's height.
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
