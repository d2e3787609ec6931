/**
 * Values that fit a schema: with all fields or only the required ones, with first or last choices, and the generated
 * ones.
 */
import {
  generateValues,
  isObject,
  isUsable,
  type JsonObject,
  type Schema,
  validateJson,
  withDefaults,
} from '../../../server/src/languages/schema/schema.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';

interface Style {
  readonly optional: boolean;
  /** True if the last alternative is chosen; otherwise the first one is. */
  readonly last: boolean;
}

const STYLES: readonly Style[] = [
  { optional: true, last: false },
  { optional: true, last: true },
  { optional: false, last: false },
];

/** Returns an empty list if no parameters are found: not every keyword is supported. */
export function fittingParameters(schema: Schema | undefined): readonly Readonly<Record<string, Json>>[] {
  if (!schema || !isUsable(schema) || schema.form === 'empty') return [{}];
  const found = new Map<string, Readonly<Record<string, Json>>>();
  for (const style of STYLES) {
    const value = instanceOf(schema.json, { ...style, root: schema.json, depth: 0 });
    if (!isObject(value) || validateJson(schema, withDefaults(schema, value)).length > 0) continue;
    found.set(JSON.stringify(value), value);
  }
  const { values, complete } = generateValues(schema, {});
  if (complete) found.set(JSON.stringify(values), values);
  return [...found.values()];
}

interface Context extends Style {
  readonly root: JsonObject;
  readonly depth: number;
}

function instanceOf(schema: Json | undefined, context: Context): Json {
  const { root, depth, last } = context;
  if (!isObject(schema) || depth > 8) return 'text';
  const inner = { ...context, depth: depth + 1 };
  if (typeof schema.$ref === 'string') return instanceOf(at(root, schema.$ref), inner);
  if (schema.const !== undefined) return schema.const;
  const choices = schema.enum ?? schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    const choice = (choices as readonly Json[]).at(last ? -1 : 0) ?? null;
    return schema.enum ? choice : instanceOf(isObject(choice) ? { ...without(schema), ...choice } : choice, inner);
  }
  if (Array.isArray(schema.allOf)) {
    const parts = (schema.allOf as readonly Json[]).map((part) => instanceOf(part, inner));
    return parts.every(isObject) ? Object.assign(objectOf(schema, inner), ...parts) : (parts[0] ?? null);
  }
  // If the schema has no type, the type that the other keywords apply to is used.
  const guess = schema.items !== undefined ? 'array' : undefined;
  const types = Array.isArray(schema.type) ? (schema.type as readonly Json[]) : [schema.type ?? guess];
  return ofType(String(types.at(last ? -1 : 0)), schema, inner);
}

const without = ({ anyOf: _, oneOf: __, ...rest }: JsonObject): JsonObject => rest;

function ofType(type: string, schema: JsonObject, context: Context): Json {
  const number = (key: string): number | undefined => (typeof schema[key] === 'number' ? schema[key] : undefined);
  switch (type) {
    case 'boolean':
      return !context.last;
    case 'null':
      return null;
    case 'integer':
    case 'number':
      return (context.last ? number('maximum') : number('minimum')) ?? number('minimum') ?? number('maximum') ?? 2;
    case 'array': {
      const least = number('minItems') ?? (context.optional ? 1 : 0);
      return Array.from({ length: least }, (_, at) => varied(instanceOf(schema.items, context), at));
    }
    case 'string':
      return stringOf(schema);
  }
  return type === 'object' || isObject(schema.properties) ? objectOf(schema, context) : 'text';
}

/** Items of a list may have to be unique. */
const varied = (value: Json, at: number): Json =>
  at > 0 && typeof value === 'string' ? `${value}${at}` : at > 0 && typeof value === 'number' ? value + at : value;

/** One value for each pattern in the samples. */
const WORDS = ['some text', 'X', 'a-name', 'read:pages', 'Name'] as const;

const isFitting = (word: string, pattern: Json | undefined): boolean =>
  typeof pattern !== 'string' || new RegExp(pattern, 'u').test(word);

const FORMATS: Readonly<Record<string, string>> = {
  date: '2024-02-29',
  'date-time': '2024-02-29T12:00:00Z',
  time: '12:00:00Z',
  uri: 'https://example.org/a',
  email: 'a@example.org',
};

function stringOf({ format, minLength, maxLength, pattern }: JsonObject): string {
  const text = FORMATS[String(format)] ?? WORDS.find((word) => isFitting(word, pattern)) ?? WORDS[0];
  const padded = text.padEnd(typeof minLength === 'number' ? minLength : 0, 'x');
  return typeof maxLength === 'number' ? padded.slice(0, maxLength) : padded;
}

function objectOf(schema: JsonObject, context: Context): Record<string, Json> {
  const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
  const fields = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return Object.fromEntries(
    fields.flatMap(([name, field]) =>
      context.optional || required.includes(name) ? [[name, instanceOf(field, context)]] : [],
    ),
  );
}

const at = (root: JsonObject, reference: string): Json | undefined =>
  reference
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((found, key) => (isObject(found) ? found[key] : undefined), root);
