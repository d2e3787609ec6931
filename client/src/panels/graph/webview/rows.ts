/**
 * Assigns nodes to rows and orders the rows (a layered layout in the style of Sugiyama, in nearly linear time). Levels come
 * from the top down, as bands; within a band parts are below their composers; nodes without edges come last.
 */

export interface LayoutNode {
  readonly id: string;
  /** Null if the skill declares none. */
  readonly level: number | null;
  /** The length of the longest path from the top, as the server counts it. */
  readonly rank: number;
}

export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
  /** Edges of a cycle do not decide which node is above the other. */
  readonly isInCycle: boolean;
}

export interface Row {
  /** Null for the band of nodes without edges. */
  readonly level: number | null;
  readonly ids: readonly string[];
}

/** The id of the point at which an edge passes a row between its ends. */
const waypointId = (edge: number, row: number): string => `pass:${edge}:${row}`;

export interface Rows {
  readonly rows: readonly Row[];
  /** The number of the connected group of each node and waypoint; groups are side by side in this order. */
  readonly groupOf: ReadonlyMap<string, number>;
  /** By edge, the waypoints between its ends from the top down; none for edges that go upward or sideways. */
  readonly waypoints: readonly (readonly string[])[];
}

/** With more waypoints than this, edges go straight behind the cards. */
const MOST_WAYPOINTS = 1500;
const SWEEPS = 6;

export function rowsOf(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Rows {
  const connectedIds = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const connected = [...nodes].filter(({ id }) => connectedIds.has(id)).sort((a, b) => a.rank - b.rank);
  const rowOf = assignRows(connected, edges);
  const rows: { level: number | null; ids: string[] }[] = [];
  for (const { id } of connected) {
    const { row = 0, level = 1 } = rowOf.get(id) ?? {};
    rows[row] ??= { level, ids: [] };
    rows[row].ids.push(id);
  }
  const rowsBetween = edges.map((edge) => rowsBetweenEnds(edge, rowOf));
  const isCrowded = rowsBetween.reduce((sum, { length }) => sum + length, 0) > MOST_WAYPOINTS;
  const waypoints = rowsBetween.map((between, edge) => (isCrowded ? [] : between.map((row) => waypointId(edge, row))));
  for (const [edge, between] of rowsBetween.entries()) {
    if (!isCrowded) for (const row of between) rows[row]?.ids.push(waypointId(edge, row));
  }
  const groupOf = new Map(connectedGroups(connected, edges));
  for (const [edge, between] of waypoints.entries()) {
    for (const id of between) groupOf.set(id, groupOf.get(edges[edge]?.from ?? '') ?? 0);
  }
  const sorted = withFewCrossings(rows, edges, waypoints).map((row) => ({
    ...row,
    ids: sortedBy(row.ids, (id) => groupOf.get(id) ?? 0),
  }));
  const alone = nodes.filter(({ id }) => !connectedIds.has(id)).map(({ id }) => id);
  return { rows: alone.length > 0 ? [...sorted, { level: null, ids: alone }] : sorted, groupOf, waypoints };
}

/** The number of the connected group of each node; large groups come first. */
export function connectedGroups(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
): ReadonlyMap<string, number> {
  const others = new Map<string, string[]>();
  for (const { from, to } of edges) {
    push(others, from, to);
    push(others, to, from);
  }
  const groups: string[][] = [];
  const visited = new Set<string>();
  for (const { id: start } of nodes) {
    if (visited.has(start)) continue;
    visited.add(start);
    const group = [start];
    // The group grows during this loop.
    for (const id of group) {
      for (const other of others.get(id) ?? []) {
        if (visited.has(other)) continue;
        visited.add(other);
        group.push(other);
      }
    }
    groups.push(group);
  }
  groups.sort((a, b) => b.length - a.length);
  return new Map(groups.flatMap((group, number) => group.map((id) => [id, number] as const)));
}

/** The row of each node, counted from the top, without gaps. */
function assignRows(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
): ReadonlyMap<string, { readonly row: number; readonly level: number }> {
  const downward = groupedBy(
    edges.filter(({ isInCycle }) => !isInCycle),
    ({ from }) => from,
  );
  const levels = new Map<string, number>();
  // The level of a skill that declares none follows from what it composes.
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

function rowsBetweenEnds(
  { from, to }: LayoutEdge,
  rowOf: ReadonlyMap<string, { readonly row: number }>,
): readonly number[] {
  const [first, last] = [rowOf.get(from)?.row ?? 0, rowOf.get(to)?.row ?? 0];
  return Array.from({ length: Math.max(0, last - first - 1) }, (_, at) => first + 1 + at);
}

/** The same rows, ordered so that few edges cross: by the middle of each node's neighbours (the barycenter method). */
function withFewCrossings(
  rows: readonly Row[],
  edges: readonly LayoutEdge[],
  waypoints: readonly (readonly string[])[],
): readonly Row[] {
  const above = new Map<string, string[]>();
  const below = new Map<string, string[]>();
  for (const [edge, { from, to }] of edges.entries()) {
    const chain = [from, ...(waypoints[edge] ?? []), to];
    for (const [at, id] of chain.slice(1).entries()) {
      push(above, id, chain[at] ?? '');
      push(below, chain[at] ?? '', id);
    }
  }
  const places = new Map<string, number>();
  const record = (ids: readonly string[]): readonly string[] => {
    // As a share of the row, since rows differ in length.
    for (const [at, id] of ids.entries()) places.set(id, (at + 0.5) / ids.length);
    return ids;
  };
  const visited = depthFirstOrder(
    rows.flatMap(({ ids }) => ids),
    below,
  );
  const sorted = rows.map(({ ids }) => record(sortedBy(ids, (id) => visited.get(id) ?? 0)));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    const neighbours = isDown ? above : below;
    for (let step = 0; step < sorted.length; step++) {
      const row = isDown ? step : sorted.length - 1 - step;
      sorted[row] = record(
        sortedBy(sorted[row] ?? [], (id) => middle(neighbours.get(id), places) ?? places.get(id) ?? 0),
      );
    }
  }
  return rows.map((row, at) => ({ ...row, ids: sorted[at] ?? row.ids }));
}

/** The number of each id in a depth-first walk from the top, which keeps what belongs together close. */
function depthFirstOrder(
  tops: readonly string[],
  below: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const visited = new Map<string, number>();
  const stack = [...tops].reverse();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (visited.has(id)) continue;
    visited.set(id, visited.size);
    stack.push(...[...(below.get(id) ?? [])].reverse());
  }
  return visited;
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
