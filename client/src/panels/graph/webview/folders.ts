/**
 * The folders by which skills are grouped. Each folder contains at least two skills, directly or in several subfolders.
 */
import type { GraphReply, ShownEdge, ShownNode } from '../messages.ts';

/** The folder key of the workspace, which includes all folders. */
export const WORKSPACE = '';
/** The largest number of cards that users can easily read. */
const MAX_CARDS = 60;

export interface Folders {
  /** The sorted folders, without the workspace. */
  readonly all: readonly string[];
  /** Returns the nearest folder of a node. An unknown skill is in the folder of its first composer. */
  readonly of: (id: string) => string;
  readonly has: (folder: string, id: string) => boolean;
  /** Returns the outermost folder that contains a node but not `folder`; otherwise undefined. */
  readonly groupFolder: (folder: string, id: string) => string | undefined;
  /** Returns the path of a folder relative to the workspace. */
  readonly nameOf: (folder: string) => string;
}

export function foldersOf({ nodes, edges }: GraphReply): Folders {
  const directories = new Map(nodes.flatMap((node) => (node.kind === 'skill' ? [[node.id, parentOf(node.uri)]] : [])));
  const root = commonFolder([...directories.values()]);
  for (const { from, to } of edges) {
    const directory = directories.get(from);
    if (directory !== undefined && !directories.has(to)) directories.set(to, directory);
  }
  const skills = new Map<string, number>();
  for (const { id, kind } of nodes) {
    if (kind === 'unknown') continue;
    for (const path of pathTo(directories.get(id) ?? root, root)) skills.set(path, (skills.get(path) ?? 0) + 1);
  }
  // If a folder has as many skills as one of its subfolders, all its skills are in that subfolder, so the folder is
  // skipped.
  const passed = new Set(
    [...skills].flatMap(([path, count]) => (skills.get(parentOf(path)) === count ? parentOf(path) : [])),
  );
  const all = [...skills].flatMap(([path, count]) => (count > 1 && !passed.has(path) ? path : [])).sort();
  const known = new Set(all);
  const paths = new Map([...directories].map(([id, directory]) => [id, pathTo(directory, root)]));
  const pathOf = (id: string): readonly string[] => paths.get(id) ?? [];
  return {
    all,
    of: (id) => pathOf(id).find((path) => known.has(path)) ?? WORKSPACE,
    has: (folder, id) => folder === WORKSPACE || pathOf(id).includes(folder),
    groupFolder: (folder, id) => {
      const own = new Set(pathTo(folder, root));
      return pathOf(id).findLast((path) => known.has(path) && !own.has(path));
    },
    nameOf: (folder) => decoded(folder.slice(root.length).replace(/^\//, '')),
  };
}

/** Returns the initial folder: the folder of the active skill, or the largest folder without errors. */
export function initialFolder({ nodes }: GraphReply, folders: Folders, active: string | undefined): string {
  if (nodes.some(({ id }) => id === active)) return folders.of(active ?? '');
  let [opening, most] = [WORKSPACE, 0];
  for (const folder of [WORKSPACE, ...folders.all]) {
    const inside = nodes.filter(({ id }) => folders.has(folder, id));
    if (inside.length <= most || inside.length > MAX_CARDS || inside.some(hasErrors)) continue;
    [opening, most] = [folder, inside.length];
  }
  return opening;
}

const hasErrors = (node: ShownNode): boolean => node.kind === 'unknown' || node.findings.errors > 0;

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Returns a directory and its parents below the root, innermost first. */
function pathTo(directory: string, root: string): readonly string[] {
  const path: string[] = [];
  for (let at = directory; at.length > root.length; at = parentOf(at)) path.push(at);
  return path;
}

function commonFolder([first = '', ...others]: readonly string[]): string {
  let common = first;
  for (const other of others) while (!`${other}/`.startsWith(`${common}/`) && common !== '') common = parentOf(common);
  return common;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The grouping of the cards: one card per skill, or groups by folder or by level. */
type Grouping = 'none' | 'folder' | 'level';

/** The content of one card: a node or a group. */
export interface Item {
  readonly id: string;
  readonly nodes: readonly ShownNode[];
  /** The folder or level that opens when the user clicks the group; absent for a single node. */
  readonly opens?: { readonly folder: string } | { readonly level: number };
  /** True if the item is outside the shown folder and is shown only because an edge connects it with the folder. */
  readonly isOutside: boolean;
}

/** All edges from one item to another. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly edges: readonly ShownEdge[];
}

export interface ShownGraph {
  readonly items: readonly Item[];
  readonly links: readonly Link[];
  readonly grouping: Grouping;
  /** True if too many skills are connected to draw each edge. */
  readonly isTooLarge: boolean;
  /** True if grouping by folder reduces the number of cards. */
  readonly hasGroups: boolean;
}

export interface GraphFilter {
  readonly folder: string;
  /** The level of the shown skills; 0 for skills without a level, null for all levels. */
  readonly level: number | null;
  readonly onlyErrors: boolean;
  /** True if skills are grouped, false if not; null if grouping depends on the number of skills. */
  readonly isGrouped: boolean | null;
}

/** The maximum numbers of connected cards and of the edges between them. The layout of more is slow and too wide. */
export const MAX_CONNECTED = { cards: 150, edges: 400 };

/** Returns true if a group of connected cards is small enough for a layered layout. */
export function canBeLayered(group: readonly { readonly id: string }[], links: readonly Pick<Link, 'from'>[]): boolean {
  const ids = new Set(group.map(({ id }) => id));
  return ids.size <= MAX_CONNECTED.cards && links.filter(({ from }) => ids.has(from)).length <= MAX_CONNECTED.edges;
}

export function shownItems(graph: GraphReply, folders: Folders, part: GraphFilter): ShownGraph {
  const { nodes, edges } = partOf(graph, folders, part);
  const shownAs = (grouping: Grouping) => {
    const items = itemsOf(nodes, folders, part.folder, grouping);
    return { items, links: linksOf(items, edges), grouping };
  };
  const single = shownAs('none');
  const byFolder = shownAs('folder');
  const canBeDrawn = ({ items, links }: typeof single, most = Number.POSITIVE_INFINITY): boolean =>
    components(items, links).every(
      (group) => canBeLayered(group, links) && group.filter(({ opens }) => !opens).length <= most,
    );
  const isTooLarge = !canBeDrawn(single);
  const fits = (candidate: typeof single): boolean => canBeDrawn(candidate, MAX_CARDS);
  const hasGroups = byFolder.items.length < single.items.length;
  const isGrouped = part.isGrouped ?? (!fits(single) || (hasGroups && single.items.length > MAX_CARDS));
  if (!isGrouped && !isTooLarge) return { ...single, isTooLarge, hasGroups };
  if (hasGroups && fits(byFolder)) return { ...byFolder, isTooLarge, hasGroups };
  const byLevel = shownAs('level');
  return { ...(byLevel.items.length > 1 && fits(byLevel) ? byLevel : single), isTooLarge, hasGroups };
}

interface Member {
  readonly node: ShownNode;
  readonly isOutside: boolean;
}

/**
 * Returns the nodes of a folder that match the filters, their neighbours outside the folder, and the edges between
 * them.
 */
function partOf(graph: GraphReply, folders: Folders, { folder, level, onlyErrors }: GraphFilter) {
  const wrong = onlyErrors ? nodesWithErrors(graph) : undefined;
  const passing = graph.nodes.filter(
    (node) => (level === null || levelOf(node) === level) && (wrong === undefined || wrong.has(node.id)),
  );
  const passed = new Set(passing.map(({ id }) => id));
  const edges = graph.edges.filter(({ from, to }) => passed.has(from) && passed.has(to));
  const inside = new Set(passing.flatMap(({ id }) => (folders.has(folder, id) ? id : [])));
  const beside = new Set(edges.flatMap(({ from, to }) => (inside.has(from) ? to : inside.has(to) ? from : [])));
  const nodes = passing.flatMap((node): readonly Member[] => {
    const isOutside = !inside.has(node.id);
    return isOutside && !beside.has(node.id) ? [] : [{ node, isOutside }];
  });
  const shown = new Set(nodes.map(({ node }) => node.id));
  return { nodes, edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)) };
}

/** Returns the nodes with errors, as *Problems* counts them. An unknown skill is an error of its composer. */
function nodesWithErrors({ nodes, edges }: GraphReply): ReadonlySet<string> {
  const wrong = new Set(nodes.flatMap((node) => (node.kind === 'skill' && node.findings.errors > 0 ? node.id : [])));
  const unknown = new Set(nodes.flatMap(({ kind, id }) => (kind === 'unknown' ? id : [])));
  const named = edges.flatMap(({ from, to }) => (wrong.has(from) && unknown.has(to) ? to : []));
  return new Set([...wrong, ...named]);
}

/** Returns the level of a node: 0 for a skill without a level, null for an unknown skill. */
const levelOf = (node: ShownNode): number | null => (node.kind === 'skill' ? (node.level ?? 0) : null);

function itemsOf(members: readonly Member[], folders: Folders, folder: string, grouping: Grouping): readonly Item[] {
  const groups = new Map<string, Item & { readonly nodes: ShownNode[] }>();
  for (const { node, isOutside } of members) {
    const opens = groupOf(node, isOutside, folders, folder, grouping);
    const id = opens ? JSON.stringify(opens) : node.id;
    const group = groups.get(id);
    if (group) group.nodes.push(node);
    else groups.set(id, { id, nodes: [node], isOutside, ...(opens && { opens }) });
  }
  // A group with one node is shown as that node.
  return [...groups.values()].map((item): Item => {
    const [first] = item.nodes;
    return item.nodes.length === 1 && first ? { id: first.id, nodes: [first], isOutside: item.isOutside } : item;
  });
}

function groupOf(
  node: ShownNode,
  isOutside: boolean,
  folders: Folders,
  folder: string,
  grouping: Grouping,
): Item['opens'] {
  const level = levelOf(node);
  if (grouping === 'level' && !isOutside && level !== null) return { level };
  const towards = grouping === 'none' ? undefined : folders.groupFolder(folder, node.id);
  return towards === undefined ? undefined : { folder: towards };
}

function linksOf(items: readonly Item[], edges: readonly ShownEdge[]): readonly Link[] {
  const itemOf = new Map(items.flatMap((item) => item.nodes.map(({ id }) => [id, item] as const)));
  const links = new Map<string, { from: string; to: string; edges: ShownEdge[] }>();
  for (const edge of edges) {
    const [from, to] = [itemOf.get(edge.from), itemOf.get(edge.to)];
    if (!from || !to || (from === to && from.opens)) continue;
    const key = `${from.id} ${to.id}`;
    const link = links.get(key) ?? { from: from.id, to: to.id, edges: [] };
    link.edges.push(edge);
    links.set(key, link);
  }
  return [...links.values()];
}

/** Returns the connected components, in the order of their first items. An item without links is its own component. */
export function components<Of extends { readonly id: string }>(
  items: readonly Of[],
  links: readonly Pick<Link, 'from' | 'to'>[],
): readonly (readonly Of[])[] {
  const parents = new Map<string, string>();
  const topOf = (id: string): string => {
    let top = id;
    for (let next = parents.get(top); next !== undefined; next = parents.get(top)) top = next;
    if (top !== id) parents.set(id, top);
    return top;
  };
  for (const { from, to } of links) {
    const [a, b] = [topOf(from), topOf(to)];
    if (a !== b) parents.set(b, a);
  }
  const found = new Map<string, Of[]>();
  for (const item of items) {
    const top = topOf(item.id);
    const own = found.get(top);
    if (own) own.push(item);
    else found.set(top, [item]);
  }
  return [...found.values()];
}

/** Returns the levels that the level filter offers, highest first. */
export const levelsOf = ({ nodes }: GraphReply): readonly number[] =>
  [...new Set(nodes.flatMap((node) => levelOf(node) ?? []))].sort((a, b) => b - a);
