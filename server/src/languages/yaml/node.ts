/** YAML as a readonly tree with a span for every key and value. */
import type { Span } from '../../text.ts';

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type YamlNode = YamlScalar | YamlMap | YamlList;

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** `span` is the value as written, quotes and block indicator included; an empty value has an empty span. */
export interface YamlScalar {
  readonly kind: 'scalar';
  readonly span: Span;
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
  /** What stands in the file, without quotes, where `value` is a number, a boolean or null (`1.0` stays `1.0`). */
  readonly source: string;
}

/** In block style `span` runs from the first key to the end of the last value; in flow style it includes the braces. */
export interface YamlMap {
  readonly kind: 'map';
  readonly span: Span;
  readonly flow: boolean;
  readonly entries: readonly YamlEntry[];
}

/** `span` runs from the key to the end of the value; a missing value is a null scalar with an empty span behind the colon. */
export interface YamlEntry {
  readonly key: YamlScalar;
  readonly value: YamlNode;
  readonly span: Span;
}

export interface YamlList {
  readonly kind: 'list';
  readonly span: Span;
  readonly flow: boolean;
  readonly items: readonly YamlNode[];
}

/** A defect of the YAML itself; what follows from it is not reported. */
export interface YamlProblem {
  readonly span: Span;
  readonly message: string;
  readonly kind: 'syntax' | 'duplicate-key';
  /** A colon in a value without quotes, which some readers fix by themselves. */
  readonly cause?: 'colon';
  /** Where one edit repairs it, such as quotes around a value with `: `. */
  readonly fix?: {
    readonly title: string;
    readonly edits: readonly { readonly span: Span; readonly newText: string }[];
    /** True where something else may be meant. */
    readonly isGuess?: boolean;
  };
  /** For a duplicate key: where the key stands first. */
  readonly first?: Span;
}

/** A comment from `#` to the end of its line. */
export interface YamlComment {
  readonly span: Span;
  readonly text: string;
}

export interface YamlTree {
  /** The stretch of the file that was read as YAML. */
  readonly span: Span;
  /** Undefined where there is nothing, or nothing that could be read. */
  readonly root: YamlNode | undefined;
  readonly problems: readonly YamlProblem[];
  readonly comments: readonly YamlComment[];
  /** True where a syntax problem makes the values unreliable. */
  readonly broken: boolean;
}

/** The null scalar of a value that is missing at the offset. */
export const nullAt = (offset: number): YamlScalar => ({
  kind: 'scalar',
  span: { start: offset, end: offset },
  value: null,
  style: 'plain',
  source: '',
});

export const findEntry = (map: YamlNode | undefined, key: string): YamlEntry | undefined =>
  map?.kind === 'map' ? map.entries.find((entry) => entry.key.value === key) : undefined;

export const findValue = (map: YamlNode | undefined, key: string): YamlNode | undefined => findEntry(map, key)?.value;

/** The node's text where it is a string, else undefined. */
export const stringOf = (node: YamlNode | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;

/** The node's number where it is a finite one, else undefined. */
export const numberOf = (node: YamlNode | undefined): number | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'number' && Number.isFinite(node.value) ? node.value : undefined;

/** The items of a list; none where the node is no list. */
export const listItems = (node: YamlNode | undefined): readonly YamlNode[] => (node?.kind === 'list' ? node.items : []);

/** The entries of a map; none where the node is no map. */
export const mapEntries = (node: YamlNode | undefined): readonly YamlEntry[] =>
  node?.kind === 'map' ? node.entries : [];

/** True for `key:` with nothing behind it, and for an explicit null. */
export const isNull = (node: YamlNode | undefined): boolean => node?.kind === 'scalar' && node.value === null;

/** The JSON value of a node. Keys that are not strings become strings; of duplicate keys the first counts. */
export function jsonOf(node: YamlNode | undefined): Json {
  if (!node) return null;
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(jsonOf);
  const result: Record<string, Json> = {};
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    if (!Object.hasOwn(result, name)) put(result, name, jsonOf(value));
  }
  return result;
}

/** Sets a property, also one named `__proto__`, which an assignment takes for the prototype. */
export function put(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** The node at a path of keys and indices, `['samples', 'dusk', 'parameters']`; undefined where the path leaves the tree. */
export function nodeAt(root: YamlNode | undefined, path: readonly (string | number)[]): YamlNode | undefined {
  let node = root;
  for (const step of path) {
    if (node?.kind === 'list') node = node.items[Number(step)];
    else node = findValue(node, String(step));
  }
  return node;
}

/** The map that holds each key, by the offset of the key; for keys that an alias repeats, the first repetition. */
export function mapsByKeyOffset(root: YamlNode | undefined): ReadonlyMap<number, YamlMap> {
  const maps = new Map<number, YamlMap>();
  const open = root ? [root] : [];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'scalar') continue;
    const parts = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
    if (node.kind === 'map') {
      for (const { key } of node.entries) if (!maps.has(key.span.start)) maps.set(key.span.start, node);
    }
    for (const part of parts) open.push(part);
  }
  return maps;
}
