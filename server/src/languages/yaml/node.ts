/** The YAML of a skill as a readonly tree in which every key and value knows its place. Made by `frontmatter.ts`. */
import type { Span } from '../../text.ts';

/** A value that JSON can hold; what schemas, samples and the composer work on. */
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

/** A defect that YAML itself sees. Cascades are dropped: one defect, one problem. */
export interface YamlProblem {
  readonly span: Span;
  readonly message: string;
  readonly kind: 'syntax' | 'duplicate-key';
  /** For the mistakes that one edit mends for certain, such as an unquoted `: ` in a description. */
  readonly mend?: {
    readonly title: string;
    readonly edits: readonly { readonly span: Span; readonly newText: string }[];
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
  /** True where a syntax problem makes meaning unreliable: nothing semantic is judged then. */
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

/** True for `key:` with nothing behind it, and for an explicit null. */
export const isNull = (node: YamlNode | undefined): boolean => node?.kind === 'scalar' && node.value === null;

/** The plain JSON value of a node. Keys that are not strings become strings; of duplicate keys the first counts. */
export function jsonOf(node: YamlNode | undefined): Json {
  if (!node) return null;
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(jsonOf);
  const result = emptyObject(node.entries.length);
  for (const { key, value } of node.entries) {
    const name = String(key.value);
    if (Object.hasOwn(result, name)) continue;
    put(result, name, jsonOf(value));
  }
  return result;
}

/** More properties than this are names that somebody chose, as those of a schema's fields are, and no vocabulary's. */
const FEW = 6;

/**
 * An object that will get so many properties. Where they are many, the engine is to hold it as a table from the beginning: of
 * any other it learns the layout, property by property, which no two schemas share. A ninth of the work of 10,000 skills went
 * into that.
 */
export const emptyObject = (size: number): Record<string, Json> =>
  size > FEW ? Object.setPrototypeOf(Object.create(null), Object.prototype) : {};

/** Sets a property even where its name is `__proto__`, which an assignment takes for the prototype. */
export function put(object: Record<string, Json>, key: string, value: Json): void {
  // Defining one takes ten times as long as setting it, and there are as many as fields.
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
