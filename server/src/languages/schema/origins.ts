/** Where each part of a schema is written, and which trees are too big to be read. */
import { grouped } from '../../amounts.ts';
import { type Json, jsonOf, type YamlEntry, type YamlNode } from '../yaml/node.ts';
import { isList, isObject, type KeyPath, type Origins, own } from './model.ts';

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;

/** Why a tree is too big to be read or validated, as a predicate such as "has more than …"; usually undefined. */
export function findExcess(root: YamlNode): string | undefined {
  const count = countNodes(root, partsOfNode);
  if (count === TOO_DEEP) return `is nested deeper than ${MAX_DEPTH} levels`;
  return count > MAX_NODES ? `has more than ${grouped(MAX_NODES)} values` : undefined;
}

/** Whether a value without a tree is too big. */
export const isExcessive = (root: Json): boolean => countNodes(root, partsOfJson) > MAX_NODES;

const partsOfNode = (node: YamlNode): readonly YamlNode[] => {
  if (node.kind === 'scalar') return [];
  return node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
};

const partsOfJson = (json: Json): readonly Json[] => {
  if (isList(json)) return json;
  return isObject(json) ? Object.values(json) : [];
};

const TOO_DEEP = Number.POSITIVE_INFINITY;

/** How many nodes a tree has; counting stops as soon as there are too many. */
function countNodes<Node>(node: Node, partsOf: (node: Node) => readonly Node[], depth = 0, before = 0): number {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  let count = before + 1;
  for (const part of partsOf(node)) {
    if (count > MAX_NODES) return count;
    count = countNodes(part, partsOf, depth + 1, count);
  }
  return count;
}

/** The plain value, with the node that each object and list comes from. */
export function toJson(node: YamlNode, origins: Origins): Json {
  const json = jsonOf(node);
  recordOrigins(node, json, origins);
  return json;
}

/** Records the node that each object and list of a value comes from; the value is that of the node. */
export function recordOrigins(node: YamlNode, json: Json, origins: Origins): void {
  if (node.kind === 'list' && isList(json)) {
    origins.set(json, node);
    for (const [at, item] of node.items.entries())
      if (item.kind !== 'scalar') recordOrigins(item, json[at] as Json, origins);
  }
  if (node.kind !== 'map' || !isObject(json)) return;
  origins.set(json, node);
  const names = Object.keys(json).length < node.entries.length ? new Set<string>() : undefined;
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    // Of duplicate keys the first counts.
    if (names?.has(name)) continue;
    names?.add(name);
    if (value.kind !== 'scalar') recordOrigins(value, own(json, name) as Json, origins);
  }
}

/** The entry of a map by its name, which need not be written as a string. */
export const entryOf = (node: YamlNode | undefined, name: string): YamlEntry | undefined =>
  node?.kind === 'map' ? node.entries.find(({ key }) => String(key.value) === name) : undefined;

/** The value at a path into a tree, with its key where it stands in a map. */
export function placeAt(
  root: YamlNode,
  path: KeyPath,
): { readonly value: YamlNode; readonly key?: YamlNode } | undefined {
  let place: { readonly value: YamlNode; readonly key?: YamlNode } = { value: root };
  for (const step of path) {
    const { value } = place;
    const item = value.kind === 'list' ? value.items[Number(step)] : undefined;
    const next = item ? { value: item } : entryOf(value, String(step));
    if (!next) return undefined;
    place = next;
  }
  return place;
}
