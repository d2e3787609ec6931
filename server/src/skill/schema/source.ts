/** The YAML of a schema as plain JSON that remembers where it stands, and JSON as YAML that stands nowhere. */
import { span } from '../../text.ts';
import { type Json, put, type YamlEntry, type YamlNode } from '../yaml/node.ts';
import { isList, isObject, type JsonObject, type Origins, own, type Places } from './model.ts';

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;

/** Why a tree cannot be taken for a schema or judged by one; undefined for every tree that a person writes. */
export function findExcess(root: YamlNode): string | undefined {
  const open: { node: YamlNode; depth: number }[] = [{ node: root, depth: 0 }];
  let count = 0;
  for (let top = open.pop(); top; top = open.pop()) {
    const { node, depth } = top;
    if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    if (++count > MAX_NODES) return `has more than ${MAX_NODES.toLocaleString('en')} values`;
    if (node.kind === 'list') for (const item of node.items) open.push({ node: item, depth: depth + 1 });
    if (node.kind === 'map') for (const { value } of node.entries) open.push({ node: value, depth: depth + 1 });
  }
  return undefined;
}

/** The same question for a value that is written nowhere. */
export function isExcessive(root: Json): boolean {
  const open: { json: Json; depth: number }[] = [{ json: root, depth: 0 }];
  let count = 0;
  for (let top = open.pop(); top; top = open.pop()) {
    const { json, depth } = top;
    if (depth > MAX_DEPTH || ++count > MAX_NODES) return true;
    if (typeof json !== 'object' || json === null) continue;
    for (const item of Object.values(json)) open.push({ json: item, depth: depth + 1 });
  }
  return false;
}

/** The plain value, with the node that each object and list comes from, and the places of the entries of each object. */
export function toJson(
  node: YamlNode,
  { origins, places }: { readonly origins: Origins; readonly places: Places },
): Json {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') {
    const list = node.items.map((item) => toJson(item, { origins, places }));
    origins.set(list, node);
    return list;
  }
  const object: Record<string, Json> = {};
  const entries = new Map<string, { keySpan: YamlNode['span']; span: YamlNode['span'] }>();
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    if (entries.has(name)) continue;
    put(object, name, toJson(value, { origins, places }));
    entries.set(name, { keySpan: key.span, span: value.span });
  }
  origins.set(object, node);
  places.set(object, entries);
  return object;
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
