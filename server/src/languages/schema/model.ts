/** The types of schemas and violations, and helpers for JSON values (docs/format.md, section 3). */

import { formatNumber } from '../../format-amounts.ts';
import type { Span } from '../../text.ts';
import type { KeyPath } from '../yaml/cursor.ts';
import { isObject, type JsonObject } from '../yaml/json-values.ts';
import type { Json, YamlNode } from '../yaml/node.ts';

export type { KeyPath } from '../yaml/cursor.ts';

export { isObject, type JsonObject };

export type Dialect = '2020-12' | 'draft-07';

/** A schema in shorthand or as JSON Schema, with its equivalent JSON Schema (`json`). */
export interface Schema {
  /** Empty if the file has no schema. */
  readonly span: Span;
  readonly form: 'shorthand' | 'json-schema' | 'empty';
  readonly dialect: Dialect;
  readonly json: JsonObject;
  readonly fields: readonly SchemaField[];
  /** The problems. If they contain no error, the schema can validate values. */
  readonly problems: readonly SchemaProblem[];
  /** The cached validator. Absent in a plain copy, such as a copy sent to a worker. */
  readonly validator?: { validate(value: Json): readonly JsonViolation[] };
}

/** A property of the schema's object. */
export interface SchemaField {
  readonly name: string;
  readonly keySpan: Span;
  /** The field's definition as written. */
  readonly span: Span;
  readonly required: boolean;
  /** The type in a few words: `string`, `integer[]`, `grim | wry`. */
  readonly type: string;
  readonly description?: string;
  readonly default?: Json;
  /** The fields of the object, or of each item if the property is a list. */
  readonly fields: readonly SchemaField[];
  readonly json: Json;
}

export interface SchemaProblem {
  readonly span: Span;
  readonly message: string;
  /** Undefined for an error. */
  readonly severity?: 'hint' | 'warning';
  /** The rule that reports the problem, if it is not `invalid-schema`. */
  readonly rule?: 'slow-pattern';
  /** For an unknown key with a fix, the key that the fix writes. */
  readonly meant?: string;
  /** True if a schema that applies in addition to another one does not have this problem. */
  readonly ofWhole?: true;
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

/** One defect of a value. `path` is the path of the value, or of the missing value. */
export interface JsonViolation {
  readonly path: KeyPath;
  readonly kind: ViolationKind;
  /** A sentence with the expected and the actual value. */
  readonly message: string;
  /** For an unknown key, its probable correction. For a missing key, its probable misspelling. */
  readonly nearest?: string;
}

/**
 * A violation with its span: the span of the value or the unknown key. For a missing field, the span is the map's key
 * or the map itself.
 */
export interface SchemaViolation extends JsonViolation {
  readonly span: Span;
}

/** The YAML node of each object and list in a schema. */
export type Origins = Map<Json, YamlNode>;

/** A default value and its schema. `within` is the span of that schema. */
export interface Default {
  readonly schema: JsonObject;
  readonly within: Span;
  readonly node: YamlNode;
}

/** Returns true for a list. */
export const isList = (json: Json | undefined): json is readonly Json[] => Array.isArray(json);

/** Returns an own property. Ignores inherited properties such as `constructor`. */
export function own(object: JsonObject, key: string): Json | undefined {
  const value = object[key];
  return value !== undefined && Object.hasOwn(object, key) ? value : undefined;
}

const NO_FIELDS: JsonObject = {};
const NO_ITEMS: readonly Json[] = [];

/** Returns the object under a keyword, or an empty object. */
export function objectUnder(schema: JsonObject, keyword: string): JsonObject {
  const value = own(schema, keyword);
  return isObject(value) ? value : NO_FIELDS;
}

/** Returns the list under a keyword, or an empty list. */
export function listUnder(schema: JsonObject, keyword: string): readonly Json[] {
  const value = own(schema, keyword);
  return isList(value) ? value : NO_ITEMS;
}

/** Returns the number under a keyword, or undefined. */
export function numberUnder(schema: JsonObject, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === 'number' ? value : undefined;
}

/** Formats a value for a message, in backticks, on one line and shortened to 60 characters. */
export function show(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const line = text.replace(/\s+/g, ' ');
  return line === '' ? 'an empty string' : `\`${line.length > 60 ? `${line.slice(0, 59)}…` : line}\``;
}

/** Returns a string that is the same for equal values, independent of the order of keys. */
export function canonical(json: Json): string {
  if (isList(json)) return `[${json.map(canonical).join(',')}]`;
  if (!isObject(json)) return typeof json === 'number' ? `n${json}` : JSON.stringify(json);
  const keys = Object.keys(json).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(json[key] as Json)}`).join(',')}}`;
}

/** Returns a sentence with a lower-case first letter, for use after a colon. */
export const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** Returns a count with its noun: `1 item`, `2 items`. */
export const counted = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;

// The state of parsing a schema.

/** The results that are collected during parsing. */
export interface ParseState {
  readonly problems: SchemaProblem[];
  readonly origins: Origins;
  readonly defaults: Default[];
  /** The JSON Schemas inside the shorthand. */
  readonly embedded: JsonObject[];
}

/** A field of the shorthand. */
export interface Field {
  readonly json: JsonObject;
  readonly required: boolean;
}

/** Returns an empty state. */
export const newParseState = (): ParseState => ({
  problems: [],
  origins: new Map(),
  defaults: [],
  embedded: [],
});
