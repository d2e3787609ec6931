/**
 * Lays out the whole graph. Connected groups are packed on shelves below one another, as words on lines (shelf packing), so
 * that a graph of many small groups can be read without zooming out.
 */
import type { Rect } from '../../kit/geometry.ts';
import { type Band, GROUP_GAP, type Layout, layoutShelf, type SizedNode } from './layout-shelf.ts';
import { connectedGroups, type LayoutEdge } from './rows.ts';

/** A graph with more nodes is one shelf. */
const MOST_ON_SHELVES = 300;
const TOP = 32;

/** `room` is the visible width in pixels. */
export function layoutGraph(nodes: readonly SizedNode[], edges: readonly LayoutEdge[], room: number): Layout {
  const boxes = new Map<string, Rect>();
  const bands: Band[] = [];
  const waypoints: Layout['waypoints'][number][] = edges.map(() => []);
  let [width, height, isWrapped] = [0, TOP, false];
  const add = (own: readonly SizedNode[], wide: number): void => {
    const ids = new Set(own.map(({ id }) => id));
    const indexes = edges.flatMap(({ from }, edge) => (ids.has(from) ? [edge] : []));
    const shelf = layoutShelf(own, pick(edges, indexes), wide);
    for (const [id, rect] of shelf.boxes) boxes.set(id, { ...rect, y: rect.y + height });
    for (const band of shelf.bands) bands.push({ ...band, y: band.y + height });
    for (const [at, edge] of indexes.entries()) {
      const shelfWaypoints = shelf.waypoints[at] ?? [];
      waypoints[edge] = shelfWaypoints.map(({ x, top, bottom }) => ({ x, top: top + height, bottom: bottom + height }));
    }
    width = Math.max(width, shelf.width);
    height += shelf.height;
    isWrapped ||= shelf.isWrapped;
  };
  const connectedIds = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const connected = nodes.filter(({ id }) => connectedIds.has(id));
  for (const shelf of shelvesOf(connected, edges, room)) add(shelf, room);
  const alone = nodes.filter(({ id }) => !connectedIds.has(id));
  if (alone.length > 0) add(alone, Math.max(room, width));
  return { boxes, bands, waypoints, isWrapped, width, height };
}

function shelvesOf(
  nodes: readonly SizedNode[],
  edges: readonly LayoutEdge[],
  room: number,
): readonly (readonly SizedNode[])[] {
  if (nodes.length > MOST_ON_SHELVES) return [nodes];
  const groupOf = connectedGroups(nodes, edges);
  const groups: SizedNode[][] = [];
  for (const node of nodes) {
    const number = groupOf.get(node.id) ?? 0;
    groups[number] ??= [];
    groups[number].push(node);
  }
  const shelves: SizedNode[][] = [];
  let left = 0;
  for (const group of groups) {
    const ids = new Set(group.map(({ id }) => id));
    const { width } = layoutShelf(
      group,
      edges.filter(({ from }) => ids.has(from)),
      room,
    );
    const last = shelves.at(-1);
    if (last && width <= left) last.push(...group);
    else {
      shelves.push([...group]);
      // A first shelf that is wider than the room takes further groups up to its own width.
      left = Math.max(room, shelves.length === 1 ? width : 0);
    }
    left -= width + GROUP_GAP;
  }
  return shelves;
}

const pick = <Item>(items: readonly Item[], at: readonly number[]): readonly Item[] =>
  at.flatMap((one) => items[one] ?? []);
