/** Where the cards of a shelf stand, in pixels: rows by level, each edge's way between the cards of the rows it passes. */

import { spread } from './fit-positions.ts';
import { type Row, type Rows, rowsOf, type Wanted, type Way } from './rows.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Sized extends Wanted {
  readonly width: number;
  readonly height: number;
}

/** Rows of one level. */
export interface Band {
  /** Null for those that stand alone. */
  readonly level: number | null;
  readonly y: number;
}

export interface Arrangement {
  readonly boxes: ReadonlyMap<string, Rect>;
  readonly bands: readonly Band[];
  /** By edge: where it enters and leaves each row between its ends. */
  readonly stops: readonly (readonly { readonly x: number; readonly top: number; readonly bottom: number }[])[];
  /** True where rows are too long and go on below one another: edges then run behind cards. */
  readonly isWrapped: boolean;
  readonly width: number;
  readonly height: number;
}

const GAP = 24;
const STOP_WIDTH = 4;
const MARGIN = 24;
/** Under the title of a level there is room for the tips of arrows. */
const BAND_HEAD = 36;
const LINE_GAP = 20;
export const GROUP_GAP = 40;
const SWEEPS = 8;

/** Skills that stand alone go on in the next line at `room` pixels. */
export function arrangeShelf(nodes: readonly Sized[], ways: readonly Way[], room: number): Arrangement {
  const { rows, groupOf, passes } = rowsOf(nodes, ways);
  const cards = new Map(nodes.map((node) => [node.id, node]));
  const widthOf = (id: string): number => cards.get(id)?.width ?? STOP_WIDTH;
  const isCard = (id: string): boolean => cards.has(id);
  const area = nodes.reduce((sum, { width, height }) => sum + (width + GAP) * (height + 2 * LINE_GAP), 0);
  const widest = Math.max(3200, 1.5 * Math.sqrt(area));
  const lengthOf = (row: Row): number => row.ids.filter(isCard).reduce((sum, id) => sum + widthOf(id) + GAP, -GAP);
  const isWrapped = rows.some((row) => row.level !== null && lengthOf(row) > widest);
  const tied = rows.filter(({ level }) => level !== null);
  const middles = isWrapped ? new Map<string, number>() : straightened({ rows: tied, groupOf, passes }, ways, widthOf);

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
    const leaving = ways.filter(({ from }) => own.has(from)).length;
    const beside = ways.some(({ from, to }) => from !== to && own.has(from) && own.has(to));
    // Where many edges leave there is room for their curves and labels.
    y += row.level === null ? LINE_GAP : 32 + Math.min(48, leaving * 3) + (beside ? 40 : 0);
  }
  const stops = passes.map((ids) =>
    isWrapped
      ? []
      : ids.map((id) => {
          const row = heights.get(Number(id.slice(id.lastIndexOf(':') + 1))) ?? { top: 0, bottom: 0 };
          return { x: MARGIN + (middles.get(id) ?? 0), ...row };
        }),
  );
  const right = Math.max(...[...boxes.values()].map(({ x, width }) => x + width), 0);
  return { boxes, bands, stops, isWrapped, width: right + MARGIN, height: y };
}

/** The middles of all that stands in the rows, stops included, so that edges are as straight as may be. */
function straightened(
  { rows, groupOf, passes }: Rows,
  ways: readonly Way[],
  widthOf: (id: string) => number,
): ReadonlyMap<string, number> {
  const ties = new Map<string, string[]>();
  const tie = (id: string, other: string): void => {
    const list = ties.get(id);
    if (list) list.push(other);
    else ties.set(id, [other]);
  };
  for (const [edge, { from, to }] of ways.entries()) {
    const chain = [from, ...(passes[edge] ?? []), to];
    for (const [at, id] of chain.slice(1).entries()) {
      tie(id, chain[at] ?? '');
      tie(chain[at] ?? '', id);
    }
  }
  const middles = new Map<string, number>();
  const settle = (ids: readonly string[], wishOf: (id: string) => number): void => {
    const found = spread(
      ids.map((id) => ({ wish: wishOf(id), width: widthOf(id) })),
      GAP,
    );
    for (const [at, id] of ids.entries()) middles.set(id, found[at] ?? 0);
  };
  const wishOf = (id: string): number => {
    const others = ties.get(id) ?? [];
    return others.reduce((sum, other) => sum + (middles.get(other) ?? 0), 0) / Math.max(1, others.length);
  };
  let right = 0;
  for (const group of groupRows(rows, groupOf)) {
    for (const ids of group) settle(ids, () => 0);
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (const ids of sweep % 2 === 0 ? group : [...group].reverse()) settle(ids, wishOf);
    }
    const all = group.flat();
    const left = Math.min(...all.map((id) => (middles.get(id) ?? 0) - widthOf(id) / 2));
    for (const id of all) middles.set(id, (middles.get(id) ?? 0) - left + right);
    right = Math.max(...all.map((id) => (middles.get(id) ?? 0) + widthOf(id) / 2)) + GROUP_GAP;
  }
  return middles;
}

/** The rows of each group by themselves. */
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
  // A group may begin below the first row.
  return groups.map((group) => group.filter((ids) => ids !== undefined));
}

/**
 * Cards in lines below one another. Neighbours of a row of composed skills go to different lines, so that each line still
 * runs from the row's left to its right; those that stand alone are simply read line by line.
 */
function linesOf(ids: readonly string[], count: number, isText: boolean): readonly (readonly string[])[] {
  const each = Math.ceil(ids.length / count);
  return Array.from({ length: count }, (_, line) =>
    ids.filter((_, at) => (isText ? Math.floor(at / each) === line : at % count === line)),
  ).filter((line) => line.length > 0);
}

/** The middles of a line's cards, from the left; `width` spreads them over as much. */
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
