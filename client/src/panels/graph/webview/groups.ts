/** What of a graph is shown, and as what: each skill as a card of its own, or grouped by folder or by level. */
import type { GraphReply, ShownEdge, ShownNode } from '../messages.ts';
import { type Folders, MOST_CARDS } from './folders.ts';

export type Grouping = 'none' | 'folder' | 'level';

/** Something that is drawn as one card. */
export interface Item {
  readonly id: string;
  readonly nodes: readonly ShownNode[];
  /** What opens it; absent for a single node. */
  readonly opens?: { readonly folder: string } | { readonly level: number };
  /** It is outside the shown folder, and there because of an edge. */
  readonly isOutside: boolean;
}

/** All compositions from one item to another. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly edges: readonly ShownEdge[];
}

export interface Shown {
  readonly items: readonly Item[];
  readonly links: readonly Link[];
  readonly grouping: Grouping;
  /** So many skills are connected that their edges cannot be drawn one by one. */
  readonly isTooLarge: boolean;
  /** Whether the folders group anything. */
  readonly hasGroups: boolean;
}

export interface Part {
  readonly folder: string;
  /** 0 for skills that declare none. */
  readonly level: number | null;
  readonly onlyErrors: boolean;
  /** Whether skills are grouped; null where their number decides. */
  readonly isGrouped: boolean | null;
}

/** What is connected is laid out in layers, which takes long and is too wide for more cards than this. */
export const MOST_CONNECTED = 150;

export function shownOf(graph: GraphReply, folders: Folders, part: Part): Shown {
  const { nodes, edges } = partOf(graph, folders, part);
  const shownAs = (grouping: Grouping) => {
    const items = itemsOf(nodes, folders, part.folder, grouping);
    return { items, links: linksOf(items, edges), grouping };
  };
  const single = shownAs('none');
  const byFolder = shownAs('folder');
  const connectedOf = ({ items, links }: typeof single) => components(items, links);
  const isTooLarge = connectedOf(single).some(({ length }) => length > MOST_CONNECTED);
  const fits = (candidate: typeof single): boolean =>
    connectedOf(candidate).every(
      (all) => all.length <= MOST_CONNECTED && all.filter(({ opens }) => !opens).length <= MOST_CARDS,
    );
  const hasGroups = byFolder.items.length < single.items.length;
  const wantsGroups = part.isGrouped ?? (!fits(single) || (hasGroups && single.items.length > MOST_CARDS));
  if (!wantsGroups && !isTooLarge) return { ...single, isTooLarge, hasGroups };
  if (hasGroups && fits(byFolder)) return { ...byFolder, isTooLarge, hasGroups };
  const byLevel = shownAs('level');
  return { ...(byLevel.items.length > 1 && fits(byLevel) ? byLevel : single), isTooLarge, hasGroups };
}

interface Member {
  readonly node: ShownNode;
  readonly isOutside: boolean;
}

/** The nodes of a folder that pass the filters, those beside it that they have edges with, and the edges among them all. */
function partOf(graph: GraphReply, folders: Folders, { folder, level, onlyErrors }: Part) {
  const wrong = onlyErrors ? wrongOf(graph) : undefined;
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

/** What has errors, as *Problems* counts them. A name that no skill has is an error of its composer. */
function wrongOf({ nodes, edges }: GraphReply): ReadonlySet<string> {
  const wrong = new Set(nodes.flatMap((node) => (node.kind === 'skill' && node.findings.errors > 0 ? node.id : [])));
  const unknown = new Set(nodes.flatMap(({ kind, id }) => (kind === 'unknown' ? id : [])));
  const named = edges.flatMap(({ from, to }) => (wrong.has(from) && unknown.has(to) ? to : []));
  return new Set([...wrong, ...named]);
}

/** 0 where a skill declares none; null for a name that no skill has. */
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
  // A group of one is shown as what it is.
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
  const towards = grouping === 'none' ? undefined : folders.towards(folder, node.id);
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

/** Items that links connect, in the order of their first ones. An item without a link is a component of its own. */
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

/** The choices of the level filter. */
export const levelsOf = ({ nodes }: GraphReply): readonly number[] =>
  [...new Set(nodes.flatMap((node) => levelOf(node) ?? []))].sort((a, b) => b - a);
