/** Checks, completes and generates the values of a run with JSON Schemas of any type. */
import { isMap } from '../../composer/json.ts';
import {
  generateValues,
  type JsonObject,
  parseToolSchema,
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

/** Returns what is wrong with a value, as one or more sentences; empty if the value matches, or without a schema. */
export function violation(json: Json | undefined, value: Json): string {
  if (!isMap(json)) return '';
  const found = validateJson(parseToolSchema(json), value).slice(0, MAX_VIOLATIONS);
  return found
    .map(({ path, message }) => (path.length === 0 ? message : `\`${path.join('.')}\`: ${message}`))
    .join(' ');
}

const MAX_VIOLATIONS = 5;

/** Returns the input with the defaults of missing fields. */
export function filled(json: Json | undefined, input: RunValues): RunValues {
  if (!isMap(json)) return input;
  const result = withDefaults(parseToolSchema(json), input);
  return isMap(result) ? result : input;
}

/**
 * Returns a value that matches the schema, with the `known` values of its fields if they match; undefined if no value
 * can be generated. Never throws.
 */
export function generated(json: Json | undefined, known: RunValues = {}): Json | undefined {
  if (!isMap(json)) return undefined;
  const inner = isOfMap(json) ? generatedMap(json, known) : undefined;
  // A schema without a type, such as `anyOf`, may be the schema of other values.
  if (inner !== undefined || json.type === 'object') return inner;
  return generatedMap(wrapped(json), {})?.[VALUE];
}

/** Returns whether a schema may be the schema of a map. */
const isOfMap = (json: JsonObject): boolean =>
  json.type === undefined ? MARKS.some((keyword) => Object.hasOwn(json, keyword)) : json.type === 'object';

const MARKS = ['properties', '$ref', 'allOf', 'anyOf', 'oneOf'];

function generatedMap(json: JsonObject, known: RunValues): RunValues | undefined {
  const schema = parseToolSchema(json);
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
