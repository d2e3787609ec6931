/** The YAML of a schema as plain JSON that remembers where it stands, and JSON as YAML that stands nowhere. */
import { span } from '../../text.ts';
import { type Json, jsonOf, type YamlEntry, type YamlNode } from '../yaml/node.ts';
import { isList, isObject, type JsonObject, type Origins, own, type Places } from './model.ts';

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;

/** Why a tree cannot be taken for a schema or judged by one; undefined for every tree that a person writes. */
export function findExcess(root: YamlNode): string | undefined {
  const count = countNodes(root, 0, 0);
  if (count === TOO_DEEP) return `is nested deeper than ${MAX_DEPTH} levels`;
  return count > MAX_NODES ? `has more than ${MAX_NODES.toLocaleString('en')} values` : undefined;
}

const TOO_DEEP = Number.POSITIVE_INFINITY;

/**
 * How many nodes there are, upon those counted before, as soon as that is too many; the last are looked at first. Every
 * schema and every value is asked, so nothing is made for it, and no deeper than `MAX_DEPTH` it may recurse.
 */
function countNodes(node: YamlNode, depth: number, before: number): number {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  let count = before + 1;
  if (node.kind === 'scalar') return count;
  const length = node.kind === 'list' ? node.items.length : node.entries.length;
  for (let at = length - 1; at >= 0 && count <= MAX_NODES; at--) {
    const inner = node.kind === 'list' ? node.items[at] : node.entries[at]?.value;
    if (inner) count = countNodes(inner, depth + 1, count);
  }
  return count;
}

/** The same question for a value that is written nowhere. */
export const isExcessive = (root: Json): boolean => countValues(root, 0, 0) > MAX_NODES;

function countValues(json: Json, depth: number, before: number): number {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  let count = before + 1;
  if (typeof json !== 'object' || json === null) return count;
  for (const item of isList(json) ? json : Object.values(json)) {
    if (count > MAX_NODES) return count;
    count = countValues(item, depth + 1, count);
  }
  return count;
}

/** The plain value, with the node that each object and list comes from. */
export function toJson(node: YamlNode, origins: Origins): Json {
  const json = jsonOf(node);
  trace(node, json, origins);
  return json;
}

/** Finds the node that each object and list of a value comes from; the value is that of the node. */
export function trace(node: YamlNode, json: Json, origins: Origins): void {
  if (node.kind === 'list' && isList(json)) {
    origins.set(json, node);
    for (const [at, item] of node.items.entries()) if (item.kind !== 'scalar') trace(item, json[at] as Json, origins);
  }
  if (node.kind !== 'map' || !isObject(json)) return;
  origins.set(json, node);
  const names = Object.keys(json).length < node.entries.length ? new Set<string>() : undefined;
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    // Of duplicate keys the first counts.
    if (names?.has(name)) continue;
    names?.add(name);
    if (value.kind !== 'scalar') trace(value, own(json, name) as Json, origins);
  }
}

/** Where the entries of an object are written: as its reader has said, else as its node has them. */
export function placesIn(
  object: Json,
  { origins, places }: { readonly origins: Origins; readonly places: Places },
): ReturnType<Places['get']> {
  const known = places.get(object);
  const node = known ? undefined : origins.get(object);
  if (node?.kind !== 'map') return known;
  const entries = new Map<string, { keySpan: YamlNode['span']; span: YamlNode['span'] }>();
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    if (!entries.has(name)) entries.set(name, { keySpan: key.span, span: value.span });
  }
  places.set(object, entries);
  return entries;
}

/** The entry of a map by its name, which need not be written as a string. */
export const entryOf = (node: YamlNode | undefined, name: string): YamlEntry | undefined =>
  node?.kind === 'map' ? node.entries.find(({ key }) => String(key.value) === name) : undefined;

/** The node that holds a value of the JSON, by the path from an object whose origin is known. */
export function originAt(
  origins: Origins,
  root: JsonObject,
  path: readonly string[],
): YamlEntry | { value: YamlNode } | undefined {
  let at: Json | undefined = root;
  let result: YamlEntry | { value: YamlNode } | undefined;
  const top = origins.get(root);
  if (path.length === 0) return top && { value: top };
  for (const step of path) {
    const node: YamlNode | undefined = isObject(at) || isList(at) ? origins.get(at) : undefined;
    if (node?.kind === 'list' && isList(at)) {
      const item = node.items[Number(step)];
      result = item && { value: item };
      at = at[Number(step)];
    } else {
      result = entryOf(node, step);
      at = isObject(at) ? own(at, step) : undefined;
    }
    if (!result) return undefined;
  }
  return result;
}

const NOWHERE = span(0, 0);

/** A tree for a value that is not written anywhere; every span is empty. */
export function toNode(json: Json): YamlNode {
  if (Array.isArray(json)) return { kind: 'list', span: NOWHERE, flow: true, items: json.map(toNode) };
  if (typeof json === 'object' && json !== null) {
    const entries = Object.entries(json).map(([key, value]) => ({
      key: scalar(key),
      value: toNode(value),
      span: NOWHERE,
    }));
    return { kind: 'map', span: NOWHERE, flow: true, entries };
  }
  return scalar(json as string | number | boolean | null);
}

const scalar = (value: string | number | boolean | null): YamlNode & { kind: 'scalar' } => ({
  kind: 'scalar',
  span: NOWHERE,
  value,
  style: 'plain',
  source: String(value),
});
