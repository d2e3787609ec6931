/** The YAML node of each part of a schema, and the limits for the size of YAML trees. */
import { formatNumber } from '../../format-amounts.ts';
import { type Json, jsonOf, type YamlEntry, type YamlNode } from '../yaml/node.ts';
import { isList, isObject, type KeyPath, type Origins, own } from './model.ts';

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;

/** Returns why a tree is too large to read or validate, such as "has more than …", or undefined. */
export function findExcess(root: YamlNode): string | undefined {
  const count = countNodes(root, partsOfNode);
  if (count === TOO_DEEP) return `is nested deeper than ${MAX_DEPTH} levels`;
  return count > MAX_NODES ? `has more than ${formatNumber(MAX_NODES)} values` : undefined;
}

/** Returns true if a JSON value is too large to validate. */
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

/** Returns the number of nodes of a tree. Stops counting above the limit. */
function countNodes<Node>(node: Node, partsOf: (node: Node) => readonly Node[], depth = 0, before = 0): number {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  let count = before + 1;
  for (const part of partsOf(node)) {
    if (count > MAX_NODES) return count;
    count = countNodes(part, partsOf, depth + 1, count);
  }
  return count;
}

/** Returns the JSON value of a node. Records the node of each object and list in `origins`. */
export function toJson(node: YamlNode, origins: Origins): Json {
  const json = jsonOf(node);
  recordOrigins(node, json, origins);
  return json;
}

/** Records the node of each object and list in `origins`. `json` is the value of `node`. */
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
    // If a key occurs more than once, its first entry is used.
    if (names?.has(name)) continue;
    names?.add(name);
    if (value.kind !== 'scalar') recordOrigins(value, own(json, name) as Json, origins);
  }
}

/** Returns the entry with this name in a map. A key that is not a string is compared as text. */
export const entryOf = (node: YamlNode | undefined, name: string): YamlEntry | undefined =>
  node?.kind === 'map' ? node.entries.find(({ key }) => String(key.value) === name) : undefined;

/** Returns the value at a path in a tree, with the key of a value in a map. Undefined if the path has no value. */
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
