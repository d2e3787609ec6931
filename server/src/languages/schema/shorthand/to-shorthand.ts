/** Converts JSON Schema to shorthand (docs/format.md, section 3). */

import { type Json, setProperty, type YamlMap } from '../../yaml/node.ts';
import { canonical, isList, isObject, type JsonObject, newParseState, own } from '../model.ts';
import { toNode } from '../print.ts';
import { readFields } from './shorthand.ts';
import { FIELD_KEYS, FIELD_KEYWORDS, shorthandTypes } from './type-expression.ts';

/**
 * Returns the shorthand that is equivalent to exactly this JSON Schema, or undefined if there is none (docs/format.md,
 * section 3). Never throws.
 */
export function toShorthand(json: JsonObject): JsonObject | undefined {
  if (own(json, 'type') !== 'object' || !isObject(json.properties)) return undefined;
  if (!Object.keys(json).every((key) => key === 'type' || key === 'properties' || key === 'required')) return undefined;
  const shorthand = fieldsOf(json, 0);
  if (!shorthand) return undefined;
  // Parses the result to check that it has the same JSON Schema.
  const state = newParseState();
  const read = readFields(toNode(shorthand) as YamlMap, state);
  const same = state.problems.length === 0 && comparable(read) === comparable(json);
  return same ? shorthand : undefined;
}

const comparable = (json: JsonObject): string => canonical(sortRequired(json));

function sortRequired(json: Json): Json {
  if (isList(json)) return json.map(sortRequired);
  if (!isObject(json)) return json;
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(json)) {
    const names = key === 'required' && isList(value) && value.every((name) => typeof name === 'string');
    setProperty(result, key, names ? [...value].sort() : sortRequired(value));
  }
  return result;
}

const MAX_DEPTH = 32;

function fieldsOf(schema: JsonObject, depth: number): JsonObject | undefined {
  const properties = own(schema, 'properties');
  const required = own(schema, 'required') ?? [];
  if (!isObject(properties) || !isList(required) || depth > MAX_DEPTH) return undefined;
  const result: Record<string, Json> = {};
  for (const [name, sub] of Object.entries(properties)) {
    const field = isObject(sub) ? fieldOf(sub, required.includes(name), depth) : undefined;
    if (field === undefined) return undefined;
    setProperty(result, name, field);
  }
  return result;
}

/** Returns the shortest form of a field: a word, a list of constants, a nested map, or a map of keys. */
function fieldOf(schema: JsonObject, required: boolean, depth: number): Json | undefined {
  const word = wordOf(schema);
  if (word !== undefined) return `${word}${required ? '' : '?'}${described(schema)}`;
  const keys = Object.keys(schema);
  if (['$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => keys.includes(key))) return required ? schema : undefined;
  const values = own(schema, 'enum');
  if (required && isList(values) && keys.every((key) => key === 'type' || key === 'enum')) return values;
  const simple = keys.every((key) => key === 'type' || key === 'properties' || key === 'required');
  if (required && simple && own(schema, 'type') === 'object' && isObject(schema.properties)) {
    const taken = Object.keys(schema.properties).some((name) => KEYS.has(name) || FIELD_KEYWORDS.has(name));
    if (!taken) return fieldsOf(schema, depth + 1);
  }
  return mapOf(schema, required, depth);
}

const KEYS: ReadonlySet<string> = new Set(FIELD_KEYS);

const described = (schema: JsonObject): string => {
  const text = own(schema, 'description');
  return typeof text === 'string' ? `, ${text}` : '';
};

function wordOf(schema: JsonObject): string | undefined {
  const { description, ...rest } = schema;
  if (description !== undefined && (typeof description !== 'string' || /[\r\n]/.test(description))) return undefined;
  const key = canonical(rest);
  const word = shorthandTypes.find(({ json }) => canonical(json) === key);
  if (word) return word.name;
  const items = own(rest, 'items');
  if (
    own(rest, 'type') !== 'array' ||
    Object.keys(rest).length !== 2 ||
    !isObject(items) ||
    Object.hasOwn(items, 'description')
  )
    return undefined;
  const inner = wordOf(items);
  return inner === undefined ? undefined : `${inner}[]`;
}

/** Keywords whose key in the shorthand has a different name. */
const RENAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    minimum: 'min',
    maximum: 'max',
    minLength: 'min_length',
    maxLength: 'max_length',
    pattern: 'regex',
  }),
);

function mapOf(schema: JsonObject, required: boolean, depth: number): Json | undefined {
  const type = own(schema, 'type');
  const format = own(schema, 'format');
  const word =
    typeof type === 'string'
      ? shorthandTypes.find(({ json }) => json.type === type && json.format === format)?.name
      : undefined;
  const result: Record<string, Json> = { type: word ?? type ?? 'any' };
  if (!required) setProperty(result, 'required', false);
  else if (own(schema, 'default') !== undefined) setProperty(result, 'required', true);
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'type' || key === 'required' || (key === 'format' && word !== undefined)) continue;
    if (key === 'items') {
      const items = isObject(value) ? fieldOf(value, true, depth + 1) : undefined;
      if (items === undefined) return undefined;
      setProperty(result, 'items', items);
    } else if (key === 'properties') {
      const fields = fieldsOf(schema, depth + 1);
      if (fields === undefined) return undefined;
      setProperty(result, 'properties', fields);
    } else if (RENAMED.has(key)) setProperty(result, RENAMED.get(key) as string, value);
    else if (KEYS.has(key) || FIELD_KEYWORDS.has(key)) setProperty(result, key, value);
    else return undefined;
  }
  return result;
}
