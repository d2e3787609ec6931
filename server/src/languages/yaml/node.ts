/** YAML as a readonly tree with a span for every key and value. */
import type { Span } from '../../text.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type YamlNode = YamlScalar | YamlMap | YamlList;

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** A scalar. `span` includes quotes and the block indicator; an empty value has an empty span. */
export interface YamlScalar {
  readonly kind: 'scalar';
  readonly span: Span;
  readonly value: string | number | boolean | null;
  readonly style: ScalarStyle;
  /**
   * The text in the file, without quotes. The text of some numbers, booleans and nulls differs from `value`: `1.0` has
   * the value 1.
   */
  readonly source: string;
}

/**
 * A map. In block style, `span` is from the first key to the end of the last value; in flow style, it includes the
 * braces.
 */
export interface YamlMap {
  readonly kind: 'map';
  readonly span: Span;
  readonly flow: boolean;
  readonly entries: readonly YamlEntry[];
}

/**
 * An entry. `span` is from the key to the end of the value. A missing value is a null scalar with an empty span after
 * the colon.
 */
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

/** A defect in the YAML syntax or structure. Errors that follow from the defect are not reported. */
export interface YamlProblem {
  readonly span: Span;
  readonly message: string;
  readonly kind: 'syntax' | 'duplicate-key';
  /**
   * Set for a colon in a value without quotes, a sign of YAML at the start of one, and an unknown tag. Some clients
   * accept these defects.
   */
  readonly cause?: 'colon' | 'sign' | 'tag';
  /** A fix that repairs the defect, if there is one, such as quotes around a value that contains `: `. */
  readonly fix?: {
    readonly title: string;
    readonly edits: readonly { readonly span: Span; readonly newText: string }[];
    /** True if the author may have meant something else. */
    readonly isGuess?: boolean;
  };
  /** For a duplicate key: the span of the first key. */
  readonly first?: Span;
}

/** A comment from `#` to the end of its line. */
export interface YamlComment {
  readonly span: Span;
  readonly text: string;
}

export interface YamlTree {
  /** The part of the file that was parsed as YAML. */
  readonly span: Span;
  /** Undefined if the YAML is empty or cannot be parsed at all. */
  readonly root: YamlNode | undefined;
  readonly problems: readonly YamlProblem[];
  readonly comments: readonly YamlComment[];
  /** True if a syntax problem makes the values unreliable. */
  readonly broken: boolean;
}

/** Returns a null scalar for a value that is missing at the offset. */
export const nullAt = (offset: number): YamlScalar => ({
  kind: 'scalar',
  span: { start: offset, end: offset },
  value: null,
  style: 'plain',
  source: '',
});

/** Returns the first entry of a map with the key; undefined if there is none or the node is not a map. */
export const findEntry = (map: YamlNode | undefined, key: string): YamlEntry | undefined =>
  map?.kind === 'map' ? map.entries.find((entry) => entry.key.value === key) : undefined;

/** Returns the value of the first entry with the key; undefined if there is none or the node is not a map. */
export const findValue = (map: YamlNode | undefined, key: string): YamlNode | undefined => findEntry(map, key)?.value;

/** Returns the value of a node that is a string; undefined for other nodes. */
export const stringOf = (node: YamlNode | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;

/** Returns the value of a node that is a finite number; undefined for other nodes. */
export const numberOf = (node: YamlNode | undefined): number | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'number' && Number.isFinite(node.value) ? node.value : undefined;

/** Returns the items of a list; an empty array for other nodes. */
export const listItems = (node: YamlNode | undefined): readonly YamlNode[] => (node?.kind === 'list' ? node.items : []);

/** Returns the entries of a map; an empty array for other nodes. */
export const mapEntries = (node: YamlNode | undefined): readonly YamlEntry[] =>
  node?.kind === 'map' ? node.entries : [];

/** Returns whether a node is null: an explicit null, or the missing value of `key:`. */
export const isNull = (node: YamlNode | undefined): boolean => node?.kind === 'scalar' && node.value === null;

/** Returns the JSON value of a node. Keys that are not strings become strings; the first of duplicate keys is used. */
export function jsonOf(node: YamlNode | undefined): Json {
  if (!node) return null;
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(jsonOf);
  const result: Record<string, Json> = {};
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    if (!Object.hasOwn(result, name)) setProperty(result, name, jsonOf(value));
  }
  return result;
}

/** Sets a property. Supports the key `__proto__`: an assignment would set the prototype. */
export function setProperty(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * Returns the node at a path of keys and indices, such as `['samples', 'dusk', 'parameters']`; undefined if it is
 * missing.
 */
export function nodeAt(root: YamlNode | undefined, path: readonly (string | number)[]): YamlNode | undefined {
  let node = root;
  for (const step of path) {
    if (node?.kind === 'list') node = node.items[Number(step)];
    else node = findValue(node, String(step));
  }
  return node;
}

/**
 * Returns each map in the tree under the offsets of its keys. If an alias repeats the keys, returns the first copy of
 * the map.
 */
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
