/**
 * Where everything of the graph stands. Skills that no edge ties to one another need not stand in one row: groups of them
 * go to shelves, as words go to lines, so that a graph of many small groups is read without zooming out.
 */
import { type Arrangement, arrangeShelf, type Band, GROUP_GAP, type Rect, type Sized } from './layout-shelf.ts';
import { groupsOf, type Way } from './rows.ts';

/** Above this many nobody reads a graph line by line: it is one shelf. */
const MOST_ON_SHELVES = 300;
const TOP = 32;

/** `room` is the width that is seen without scrolling, in pixels. */
export function arrange(nodes: readonly Sized[], ways: readonly Way[], room: number): Arrangement {
  const boxes = new Map<string, Rect>();
  const bands: Band[] = [];
  const stops: Arrangement['stops'][number][] = ways.map(() => []);
  let [width, height, isWrapped] = [0, TOP, false];
  const add = (own: readonly Sized[], wide: number): void => {
    const ids = new Set(own.map(({ id }) => id));
    const edges = ways.flatMap(({ from }, edge) => (ids.has(from) ? [edge] : []));
    const shelf = arrangeShelf(own, pick(ways, edges), wide);
    for (const [id, rect] of shelf.boxes) boxes.set(id, { ...rect, y: rect.y + height });
    for (const band of shelf.bands) bands.push({ ...band, y: band.y + height });
    for (const [at, edge] of edges.entries()) {
      const passed = shelf.stops[at] ?? [];
      stops[edge] = passed.map(({ x, top, bottom }) => ({ x, top: top + height, bottom: bottom + height }));
    }
    width = Math.max(width, shelf.width);
    height += shelf.height;
    isWrapped ||= shelf.isWrapped;
  };
  const tied = new Set(ways.flatMap(({ from, to }) => [from, to]));
  const connected = nodes.filter(({ id }) => tied.has(id));
  for (const shelf of shelvesOf(connected, ways, room)) add(shelf, room);
  const alone = nodes.filter(({ id }) => !tied.has(id));
  if (alone.length > 0) add(alone, Math.max(room, width));
  return { boxes, bands, stops, isWrapped, width, height };
}

function shelvesOf(nodes: readonly Sized[], ways: readonly Way[], room: number): readonly (readonly Sized[])[] {
  if (nodes.length > MOST_ON_SHELVES) return [nodes];
  const groupOf = groupsOf(nodes, ways);
  const groups: Sized[][] = [];
  for (const node of nodes) {
    const number = groupOf.get(node.id) ?? 0;
    groups[number] ??= [];
    groups[number].push(node);
  }
  const shelves: Sized[][] = [];
  let left = 0;
  for (const group of groups) {
    const ids = new Set(group.map(({ id }) => id));
    const { width } = arrangeShelf(
      group,
      ways.filter(({ from }) => ids.has(from)),
      room,
    );
    const last = shelves.at(-1);
    if (last && width <= left) last.push(...group);
    else {
      shelves.push([...group]);
      // What is wider than the room has to be scrolled for anyhow, and takes others along.
      left = Math.max(room, shelves.length === 1 ? width : 0);
    }
    left -= width + GROUP_GAP;
  }
  return shelves;
}

const pick = <Item>(items: readonly Item[], at: readonly number[]): readonly Item[] =>
  at.flatMap((one) => items[one] ?? []);
