/**
 * Which node stands in which row, and where in it. Levels come from the top down, as bands; within a band parts stand below
 * those that compose them; nodes with no edge at all come last, in a band of their own. All of it costs about as much as
 * the graph is large, so that a thousand skills are laid out within a frame or two.
 */

export interface Wanted {
  readonly id: string;
  /** Null where the skill declares none. */
  readonly level: number | null;
  /** The longest way from the top, as the server counts it: parts have greater ones. */
  readonly rank: number;
}

export interface Way {
  readonly from: string;
  readonly to: string;
  /** Ways of a cycle do not say who stands above whom. */
  readonly isInCycle: boolean;
}

export interface Row {
  /** Null for the band of those that stand alone. */
  readonly level: number | null;
  readonly ids: readonly string[];
}

/** An edge's stop in a row that it only passes. */
export const passId = (edge: number, row: number): string => `pass:${edge}:${row}`;

export interface Rows {
  readonly rows: readonly Row[];
  /** Nodes and stops that edges tie together have one number; groups stand beside one another, in this order. */
  readonly groupOf: ReadonlyMap<string, number>;
  /** By edge, the stops between its ends, from the top down; none for edges that go upward or sideways. */
  readonly passes: readonly (readonly string[])[];
}

/** Above this many stops edges go straight, behind the cards: nobody follows so many with the eye. */
const MOST_STOPS = 1500;
const SWEEPS = 6;

export function rowsOf(nodes: readonly Wanted[], ways: readonly Way[]): Rows {
  const tied = new Set(ways.flatMap(({ from, to }) => [from, to]));
  const connected = [...nodes].filter(({ id }) => tied.has(id)).sort((a, b) => a.rank - b.rank);
  const rowOf = placedInRows(connected, ways);
  const rows: { level: number | null; ids: string[] }[] = [];
  for (const { id } of connected) {
    const { row = 0, level = 1 } = rowOf.get(id) ?? {};
    rows[row] ??= { level, ids: [] };
    rows[row].ids.push(id);
  }
  const stops = ways.map((way) => stopsOf(way, rowOf));
  const isCrowded = stops.reduce((sum, { length }) => sum + length, 0) > MOST_STOPS;
  const passes = stops.map((between, edge) => (isCrowded ? [] : between.map((row) => passId(edge, row))));
  for (const [edge, between] of stops.entries()) {
    if (!isCrowded) for (const row of between) rows[row]?.ids.push(passId(edge, row));
  }
  const groupOf = new Map(groupsOf(connected, ways));
  for (const [edge, between] of passes.entries()) {
    for (const id of between) groupOf.set(id, groupOf.get(ways[edge]?.from ?? '') ?? 0);
  }
  const sorted = uncrossed(rows, ways, passes).map((row) => ({
    ...row,
    ids: sortedBy(row.ids, (id) => groupOf.get(id) ?? 0),
  }));
  const alone = nodes.filter(({ id }) => !tied.has(id)).map(({ id }) => id);
  return { rows: alone.length > 0 ? [...sorted, { level: null, ids: alone }] : sorted, groupOf, passes };
}

/** What edges tie together, directly or not, by number: large groups first. */
export function groupsOf(nodes: readonly Wanted[], ways: readonly Way[]): ReadonlyMap<string, number> {
  const others = new Map<string, string[]>();
  for (const { from, to } of ways) {
    push(others, from, to);
    push(others, to, from);
  }
  const groups: string[][] = [];
  const met = new Set<string>();
  for (const { id: start } of nodes) {
    if (met.has(start)) continue;
    met.add(start);
    const group = [start];
    // A list may grow while it is walked.
    for (const id of group) {
      for (const other of others.get(id) ?? []) {
        if (met.has(other)) continue;
        met.add(other);
        group.push(other);
      }
    }
    groups.push(group);
  }
  groups.sort((a, b) => b.length - a.length);
  return new Map(groups.flatMap((group, number) => group.map((id) => [id, number] as const)));
}

/** The row of each node, counted from the top, without gaps. */
function placedInRows(
  nodes: readonly Wanted[],
  ways: readonly Way[],
): ReadonlyMap<string, { readonly row: number; readonly level: number }> {
  const downward = groupedBy(
    ways.filter(({ isInCycle }) => !isInCycle),
    ({ from }) => from,
  );
  const levels = new Map<string, number>();
  // Without a level a skill counts by what it composes: a part is atomic, a whole at least composite.
  for (const { id, level } of [...nodes].reverse()) {
    const parts = (downward.get(id) ?? []).map(({ to }) => levels.get(to) ?? 1);
    levels.set(id, level ?? (parts.length === 0 ? 1 : Math.max(2, ...parts)));
  }
  const depths = new Map<string, number>();
  for (const { id } of nodes) {
    const depth = depths.get(id) ?? 0;
    depths.set(id, depth);
    for (const { to } of downward.get(id) ?? []) {
      if (levels.get(to) === levels.get(id)) depths.set(to, Math.max(depth + 1, depths.get(to) ?? 0));
    }
  }
  const keyOf = (id: string): string => `${levels.get(id)}/${depths.get(id)}`;
  const keys = [...new Set(nodes.map(({ id }) => keyOf(id)))].sort((a, b) => {
    const [levelA = 0, depthA = 0] = a.split('/').map(Number);
    const [levelB = 0, depthB = 0] = b.split('/').map(Number);
    return levelB - levelA || depthA - depthB;
  });
  const rowOf = new Map(keys.map((key, row) => [key, row]));
  return new Map(nodes.map(({ id }) => [id, { row: rowOf.get(keyOf(id)) ?? 0, level: levels.get(id) ?? 1 }]));
}

function stopsOf({ from, to }: Way, rowOf: ReadonlyMap<string, { readonly row: number }>): readonly number[] {
  const [first, last] = [rowOf.get(from)?.row ?? 0, rowOf.get(to)?.row ?? 0];
  return Array.from({ length: Math.max(0, last - first - 1) }, (_, at) => first + 1 + at);
}

/** The same rows, each in the order in which few edges cross: everything stands near the middle of what it is tied to. */
function uncrossed(rows: readonly Row[], ways: readonly Way[], passes: readonly (readonly string[])[]): readonly Row[] {
  const above = new Map<string, string[]>();
  const below = new Map<string, string[]>();
  for (const [edge, { from, to }] of ways.entries()) {
    const chain = [from, ...(passes[edge] ?? []), to];
    for (const [at, id] of chain.slice(1).entries()) {
      push(above, id, chain[at] ?? '');
      push(below, chain[at] ?? '', id);
    }
  }
  const places = new Map<string, number>();
  const settle = (ids: readonly string[]): readonly string[] => {
    // A share of the row, since rows differ in length.
    for (const [at, id] of ids.entries()) places.set(id, (at + 0.5) / ids.length);
    return ids;
  };
  const met = walkedFrom(
    rows.flatMap(({ ids }) => ids),
    below,
  );
  const sorted = rows.map(({ ids }) => settle(sortedBy(ids, (id) => met.get(id) ?? 0)));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    const ties = isDown ? above : below;
    for (let step = 0; step < sorted.length; step++) {
      const row = isDown ? step : sorted.length - 1 - step;
      sorted[row] = settle(sortedBy(sorted[row] ?? [], (id) => middle(ties.get(id), places) ?? places.get(id) ?? 0));
    }
  }
  return rows.map((row, at) => ({ ...row, ids: sorted[at] ?? row.ids }));
}

/** The order in which one meets them going down: what belongs together begins together. */
function walkedFrom(
  tops: readonly string[],
  below: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const met = new Map<string, number>();
  const waiting = [...tops].reverse();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (met.has(id)) continue;
    met.set(id, met.size);
    waiting.push(...[...(below.get(id) ?? [])].reverse());
  }
  return met;
}

function sortedBy(ids: readonly string[], keyOf: (id: string) => number): readonly string[] {
  const keys = new Map(ids.map((id) => [id, keyOf(id)]));
  return [...ids].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
}

function middle(ids: readonly string[] | undefined, places: ReadonlyMap<string, number>): number | undefined {
  if (!ids || ids.length === 0) return undefined;
  return ids.reduce((sum, id) => sum + (places.get(id) ?? 0), 0) / ids.length;
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export function groupedBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
