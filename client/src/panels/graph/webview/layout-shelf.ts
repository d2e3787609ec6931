/** Lays out the cards of one shelf in pixels: rows by level, and for each edge a gap in every row that it passes. */

import type { Rect } from '../../kit/geometry.ts';
import { fitPositions } from './fit-positions.ts';
import { type LayoutEdge, type LayoutNode, type Row, type Rows, rowsOf } from './rows.ts';

export interface SizedNode extends LayoutNode {
  readonly width: number;
  readonly height: number;
}

/** The rows of one level. */
export interface Band {
  /** Null for nodes without edges. */
  readonly level: number | null;
  readonly y: number;
}

/** Where an edge passes a row between two cards. */
export interface Waypoint {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Rect>;
  readonly bands: readonly Band[];
  /** By edge, where it passes each row between its ends. */
  readonly waypoints: readonly (readonly Waypoint[])[];
  /** True if rows were too long and were wrapped; edges then run behind cards. */
  readonly isWrapped: boolean;
  readonly width: number;
  readonly height: number;
}

const GAP = 24;
const WAYPOINT_WIDTH = 4;
const MARGIN = 24;
/** The title of a level, with room for the tips of arrows below it. */
const BAND_HEAD = 36;
const LINE_GAP = 20;
export const GROUP_GAP = 40;
const SWEEPS = 8;

/** Skills without edges are wrapped at `room` pixels. */
export function layoutShelf(nodes: readonly SizedNode[], edges: readonly LayoutEdge[], room: number): Layout {
  const { rows, groupOf, waypoints } = rowsOf(nodes, edges);
  const cards = new Map(nodes.map((node) => [node.id, node]));
  const widthOf = (id: string): number => cards.get(id)?.width ?? WAYPOINT_WIDTH;
  const isCard = (id: string): boolean => cards.has(id);
  const area = nodes.reduce((sum, { width, height }) => sum + (width + GAP) * (height + 2 * LINE_GAP), 0);
  const widest = Math.max(3200, 1.5 * Math.sqrt(area));
  const lengthOf = (row: Row): number => row.ids.filter(isCard).reduce((sum, id) => sum + widthOf(id) + GAP, -GAP);
  const isWrapped = rows.some((row) => row.level !== null && lengthOf(row) > widest);
  const connectedRows = rows.filter(({ level }) => level !== null);
  const middles = isWrapped
    ? new Map<string, number>()
    : alignedMiddles({ rows: connectedRows, groupOf, waypoints }, edges, widthOf);

  const boxes = new Map<string, Rect>();
  const bands: Band[] = [];
  const heights = new Map<number, { top: number; bottom: number }>();
  let y = 0;
  for (const [at, row] of rows.entries()) {
    if (at === 0 || row.level !== rows[at - 1]?.level) {
      bands.push({ level: row.level, y });
      y += BAND_HEAD;
    }
    const ids = row.ids.filter(isCard);
    const isStraight = row.level !== null && !isWrapped;
    const most = row.level === null ? Math.max(room - 2 * MARGIN, 1) : widest;
    const count = isStraight ? 1 : Math.max(1, Math.ceil(lengthOf(row) / most));
    const top = y;
    for (const line of linesOf(ids, count, row.level === null)) {
      const height = Math.max(...line.map((id) => cards.get(id)?.height ?? 0), 0);
      const packed = packedLine(line, widthOf, row.level === null ? undefined : widest);
      for (const id of line) {
        const middle = isStraight ? (middles.get(id) ?? 0) : (packed.get(id) ?? 0);
        const { width = 0, height: own = 0 } = cards.get(id) ?? {};
        boxes.set(id, { x: MARGIN + middle - width / 2, y, width, height: own });
      }
      y += height + LINE_GAP;
    }
    heights.set(at, { top, bottom: y - LINE_GAP });
    const own = new Set(ids);
    const leaving = edges.filter(({ from }) => own.has(from)).length;
    const beside = edges.some(({ from, to }) => from !== to && own.has(from) && own.has(to));
    // Rows that many edges leave have more room for curves and labels below.
    y += row.level === null ? LINE_GAP : 32 + Math.min(48, leaving * 3) + (beside ? 40 : 0);
  }
  const placedWaypoints = waypoints.map((ids) =>
    isWrapped
      ? []
      : ids.map((id) => {
          const row = heights.get(Number(id.slice(id.lastIndexOf(':') + 1))) ?? { top: 0, bottom: 0 };
          return { x: MARGIN + (middles.get(id) ?? 0), ...row };
        }),
  );
  const right = Math.max(...[...boxes.values()].map(({ x, width }) => x + width), 0);
  return { boxes, bands, waypoints: placedWaypoints, isWrapped, width: right + MARGIN, height: y };
}

/** The middles of all cards and waypoints of the rows, chosen so that edges are nearly straight. */
function alignedMiddles(
  { rows, groupOf, waypoints }: Rows,
  edges: readonly LayoutEdge[],
  widthOf: (id: string) => number,
): ReadonlyMap<string, number> {
  const neighbours = new Map<string, string[]>();
  const connect = (id: string, other: string): void => {
    const list = neighbours.get(id);
    if (list) list.push(other);
    else neighbours.set(id, [other]);
  };
  for (const [edge, { from, to }] of edges.entries()) {
    const chain = [from, ...(waypoints[edge] ?? []), to];
    for (const [at, id] of chain.slice(1).entries()) {
      connect(id, chain[at] ?? '');
      connect(chain[at] ?? '', id);
    }
  }
  const middles = new Map<string, number>();
  const place = (ids: readonly string[], preferredOf: (id: string) => number): void => {
    const found = fitPositions(
      ids.map((id) => ({ preferred: preferredOf(id), width: widthOf(id) })),
      GAP,
    );
    for (const [at, id] of ids.entries()) middles.set(id, found[at] ?? 0);
  };
  const preferredOf = (id: string): number => {
    const others = neighbours.get(id) ?? [];
    return others.reduce((sum, other) => sum + (middles.get(other) ?? 0), 0) / Math.max(1, others.length);
  };
  let right = 0;
  for (const group of groupRows(rows, groupOf)) {
    for (const ids of group) place(ids, () => 0);
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (const ids of sweep % 2 === 0 ? group : [...group].reverse()) place(ids, preferredOf);
    }
    const all = group.flat();
    const left = Math.min(...all.map((id) => (middles.get(id) ?? 0) - widthOf(id) / 2));
    for (const id of all) middles.set(id, (middles.get(id) ?? 0) - left + right);
    right = Math.max(...all.map((id) => (middles.get(id) ?? 0) + widthOf(id) / 2)) + GROUP_GAP;
  }
  return middles;
}

/** The rows of each connected group. */
function groupRows(
  rows: readonly Row[],
  groupOf: ReadonlyMap<string, number>,
): readonly (readonly (readonly string[])[])[] {
  const groups: string[][][] = [];
  for (const [at, { ids }] of rows.entries()) {
    for (const id of ids) {
      const number = groupOf.get(id) ?? 0;
      groups[number] ??= [];
      const group = groups[number];
      group[at] ??= [];
      group[at].push(id);
    }
  }
  // A group may start below the first row.
  return groups.map((group) => group.filter((ids) => ids !== undefined));
}

/**
 * Wraps the cards of a row into lines. Neighbours go to different lines, so that each line spans the row from left to right;
 * `isText` fills one line after the other instead.
 */
function linesOf(ids: readonly string[], count: number, isText: boolean): readonly (readonly string[])[] {
  const each = Math.ceil(ids.length / count);
  return Array.from({ length: count }, (_, line) =>
    ids.filter((_, at) => (isText ? Math.floor(at / each) === line : at % count === line)),
  ).filter((line) => line.length > 0);
}

/** The middles of a line's cards from the left, distributed over `width` if given. */
function packedLine(
  ids: readonly string[],
  widthOf: (id: string) => number,
  width: number | undefined,
): ReadonlyMap<string, number> {
  const own = ids.reduce((sum, id) => sum + widthOf(id), 0);
  const gap = width === undefined ? GAP : Math.max(GAP, (width - own) / Math.max(1, ids.length));
  const middles = new Map<string, number>();
  let x = width === undefined ? 0 : (gap - GAP) / 2;
  for (const id of ids) {
    middles.set(id, x + widthOf(id) / 2);
    x += widthOf(id) + gap;
  }
  return middles;
}
