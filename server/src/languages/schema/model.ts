/** The types of schemas and violations, and small helpers for JSON values (docs/format.md, section 3). */

import { grouped } from '../../amounts.ts';
import type { Span } from '../../text.ts';
import type { KeyPath } from '../yaml/cursor.ts';
import type { Json, YamlNode } from '../yaml/node.ts';
import { isObject, type JsonObject } from '../yaml/same-json.ts';

export type { KeyPath } from '../yaml/cursor.ts';

export { isObject, type JsonObject };

export type Dialect = '2020-12' | 'draft-07';

/** A schema in whichever form it is written, with its one meaning as JSON Schema. */
export interface Schema {
  /** Empty where no schema is written. */
  readonly span: Span;
  readonly form: 'shorthand' | 'json-schema' | 'empty';
  readonly dialect: Dialect;
  readonly json: JsonObject;
  readonly fields: readonly SchemaField[];
  /** Without errors among them the schema can be used for validating. */
  readonly problems: readonly SchemaProblem[];
  /** What validating by the schema keeps; absent in a copy that is plain data, such as one sent to a worker. */
  readonly validator?: { validate(value: Json): readonly JsonViolation[] };
}

/** A property of the schema's object, in document order. */
export interface SchemaField {
  readonly name: string;
  readonly keySpan: Span;
  /** The field's definition as written. */
  readonly span: Span;
  readonly required: boolean;
  /** A few words: `string`, `integer[]`, `grim | wry`. */
  readonly type: string;
  readonly description?: string;
  readonly default?: Json;
  /** The fields of the object that it holds, or of the items of the list that it is. */
  readonly fields: readonly SchemaField[];
  readonly json: Json;
}

export interface SchemaProblem {
  readonly span: Span;
  /** What is wrong, why, and what to do. */
  readonly message: string;
  /** Left out where it is an error. */
  readonly severity?: 'hint' | 'warning';
  /** Left out where the schema itself is at fault. */
  readonly rule?: 'slow-pattern';
  readonly fix?: { readonly title: string; readonly span: Span; readonly newText: string };
}

export type ViolationKind =
  | 'missing'
  | 'type'
  | 'enum'
  | 'range'
  | 'length'
  | 'format'
  | 'pattern'
  | 'additional'
  | 'duplicate'
  | 'alternative'
  | 'other';

/** One defect of a value; `path` leads to the value, or to where a missing one should be. */
export interface JsonViolation {
  readonly path: KeyPath;
  readonly kind: ViolationKind;
  /** Plain words, with what is expected and what is found. */
  readonly message: string;
  /** For an unknown or missing key: the name that was likely meant (unknown), or that was likely written (missing). */
  readonly nearest?: string;
}

/** `span`: the value; a key that is at fault itself; for a missing field the key of the map it is missing from, else that map. */
export interface SchemaViolation extends JsonViolation {
  readonly span: Span;
}

/** The YAML that each schema, and each object with the properties of one, was read from. */
export type Origins = Map<Json, YamlNode>;

/** A default and the schema that it has to satisfy; `within` is where that schema stands. */
export interface Default {
  readonly schema: JsonObject;
  readonly within: Span;
  readonly node: YamlNode;
}

export const isList = (json: Json | undefined): json is readonly Json[] => Array.isArray(json);

/** The own property, so that inherited ones such as `constructor` are not found. */
export function own(object: JsonObject, key: string): Json | undefined {
  const value = object[key];
  return value !== undefined && Object.hasOwn(object, key) ? value : undefined;
}

const NO_FIELDS: JsonObject = {};
const NO_ITEMS: readonly Json[] = [];

/** The object under a keyword; an empty one where there is none. */
export function objectUnder(schema: JsonObject, keyword: string): JsonObject {
  const value = own(schema, keyword);
  return isObject(value) ? value : NO_FIELDS;
}

/** The list under a keyword; an empty one where there is none. */
export function listUnder(schema: JsonObject, keyword: string): readonly Json[] {
  const value = own(schema, keyword);
  return isList(value) ? value : NO_ITEMS;
}

export function numberUnder(schema: JsonObject, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === 'number' ? value : undefined;
}

/** Whether a value has values within values, so many levels down; without recursion. */
export function nestsDeeper(value: Json | undefined, levels: number): boolean {
  let level: readonly (Json | undefined)[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((json) => (typeof json === 'object' && json !== null ? Object.values(json) : []));
  }
  return false;
}

/** A value in a message, short and in backticks. */
export function show(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const line = text.replace(/\s+/g, ' ');
  return line === '' ? 'an empty text' : `\`${line.length > 60 ? `${line.slice(0, 59)}…` : line}\``;
}

/** A text that two equal values share, whatever the order of their keys. */
export function canonical(json: Json): string {
  if (isList(json)) return `[${json.map(canonical).join(',')}]`;
  if (!isObject(json)) return typeof json === 'number' ? `n${json}` : JSON.stringify(json);
  const keys = Object.keys(json).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(json[key] as Json)}`).join(',')}}`;
}

export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
