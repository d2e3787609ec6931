/** Checks, completes and generates the values of a run with JSON Schemas of any type. */
import { isMap } from '../../composer/json.ts';
import {
  generateValues,
  type JsonObject,
  parseSchema,
  type Schema,
  toNode,
  validateJson,
  withDefaults,
} from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { RunValues } from '../../protocol.ts';

/** The field that contains a value whose schema is not the schema of a map. */
const VALUE = 'value';

/** Returns the schema of a map with this value as its only field, because a skill's schemas describe maps. */
function wrapped(json: JsonObject): JsonObject {
  const { $schema, $defs, definitions, ...schema } = json;
  return {
    ...($schema !== undefined && { $schema }),
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
    type: 'object',
    properties: { [VALUE]: schema },
    required: [VALUE],
  };
}

/** Returns whether a schema is read as a JSON Schema, and not as a shorthand (docs/format.md, section 3). */
const isRead = (json: JsonObject): boolean =>
  json.type === undefined ? MARKS.some((keyword) => Object.hasOwn(json, keyword)) : json.type === 'object';

const MARKS = ['properties', '$ref', '$schema', 'allOf', 'anyOf', 'oneOf'];

const schemaOf = (json: JsonObject): Schema => parseSchema(toNode(isRead(json) ? json : wrapped(json)));

/** Returns what is wrong with a value, as one or more sentences; empty if the value matches, or without a schema. */
export function violation(json: Json | undefined, value: Json): string {
  if (!isMap(json)) return '';
  const tested = isRead(json) ? value : { [VALUE]: value };
  const found = validateJson(schemaOf(json), tested).slice(0, MAX_VIOLATIONS);
  return found
    .map(({ path, message }) => {
      const inner = isRead(json) ? path : path.slice(1);
      return inner.length === 0 ? message : `\`${inner.join('.')}\`: ${message}`;
    })
    .join(' ');
}

const MAX_VIOLATIONS = 5;

/** Returns the input with the defaults of missing fields. */
export function filled(json: Json | undefined, input: RunValues): RunValues {
  if (!isMap(json) || !isRead(json)) return input;
  const result = withDefaults(schemaOf(json), input);
  return isMap(result) ? result : input;
}

/**
 * Returns a value that matches the schema, with the `known` values of its fields if they match; undefined if no value
 * can be generated. Never throws.
 */
export function generated(json: Json | undefined, known: RunValues = {}): Json | undefined {
  if (!isMap(json)) return undefined;
  const inner = isRead(json) ? generatedMap(json, known) : undefined;
  // A schema without a type, such as `anyOf`, may be the schema of other values.
  if (inner !== undefined || json.type === 'object') return inner;
  return generatedMap(wrapped(json), {})?.[VALUE];
}

function generatedMap(json: JsonObject, known: RunValues): RunValues | undefined {
  const schema = parseSchema(toNode(json));
  const names = new Set(schema.fields.map(({ name }) => name));
  const given = Object.fromEntries(Object.entries<Json>(known).filter(([name]) => names.has(name)));
  for (const some of [given, {}]) {
    const { values, complete } = generateValues(schema, some);
    const value = { ...some, ...values };
    if (complete && validateJson(schema, value).length === 0) return value;
  }
  return undefined;
}

/** Returns the schema of the fields that an input lacks; the whole schema if it lacks none. */
export function missingFields(json: Json, input: RunValues): Json {
  if (!isMap(json) || !isMap(json.properties) || !Array.isArray(json.required)) return json;
  const { properties, required, ...others } = json;
  const names = required.filter((name): name is string => typeof name === 'string' && !Object.hasOwn(input, name));
  if (names.length === 0) return json;
  const kept = Object.entries<Json>(properties as JsonObject).filter(([name]) => names.includes(name));
  return { ...others, properties: Object.fromEntries(kept), required: names };
}
