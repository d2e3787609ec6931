/** Generates values from a schema, for a prompt without a sample (docs/composer.md, "Generated values"). */
import { type Json, setProperty } from '../yaml/node.ts';
import { isList, isObject, type JsonObject, listUnder, numberUnder, objectUnder, own, type Schema } from './model.ts';
import { conjunctsOf } from './walk.ts';

/** The limits for nested and circular schemas. */
const MAX_DEPTH = 8;
const MAX_VALUES = 1_000;
const MAX_ITEMS = 20;
const MAX_TEXT = 10_000;

/**
 * Returns generated values for the parameters that are not in `given`, in the order of the schema (docs/composer.md,
 * "Generated values"). The values usually fit the schema, without a guarantee. Never throws.
 */
export function generateValues({ json }: Schema, given: JsonObject): JsonObject {
  const maker = new Maker(json);
  const result: Record<string, Json> = {};
  for (const [name, field] of Object.entries(objectUnder(maker.merged(json), 'properties'))) {
    if (!Object.hasOwn(given, name) && field !== false) setProperty(result, name, maker.value(field, name, 0));
  }
  return result;
}

class Maker {
  readonly #root: JsonObject;
  #left = MAX_VALUES;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  value(schema: Json, name: string, depth: number): Json {
    if (!isObject(schema) || depth > MAX_DEPTH || this.#left-- <= 0) return textFor({}, name);
    const merged = this.merged(schema);
    const [example] = listUnder(merged, 'examples');
    const [constant] = listUnder(merged, 'enum');
    for (const ready of [own(merged, 'const'), own(merged, 'default'), constant, example]) {
      if (ready !== undefined) return ready;
    }
    switch (typeOf(merged)) {
      case 'object':
        return this.#map(merged, depth);
      case 'array':
        return this.#list(merged, name, depth);
      case 'integer':
        return numberFor(merged, 1);
      case 'number':
        return numberFor(merged, own(merged, 'multipleOf') === undefined ? 0.5 : 1);
      case 'boolean':
        return false;
      case 'null':
        return null;
      default:
        return textFor(merged, name);
    }
  }

  /**
   * Merges a schema with the target of its `$ref`, its `allOf` schemas and its first alternatives. For each keyword,
   * the value in the first schema is used.
   */
  merged(schema: JsonObject, depth = 0): JsonObject {
    const parts = [
      ...conjunctsOf(this.#root, schema),
      ...[listUnder(schema, 'anyOf'), listUnder(schema, 'oneOf')].map((list) => list.find(isSomething) ?? list[0]),
    ].filter(isObject);
    if (parts.length === 0 || depth > MAX_DEPTH) return schema;
    const all = [schema, ...parts.map((part) => this.merged(part, depth + 1))];
    const properties: Record<string, Json> = {};
    for (const part of all) {
      for (const [name, field] of Object.entries(objectUnder(part, 'properties'))) {
        if (!Object.hasOwn(properties, name)) setProperty(properties, name, field);
      }
    }
    const merged: JsonObject = Object.assign({}, ...all.toReversed());
    return Object.keys(properties).length === 0 ? merged : { ...merged, properties };
  }

  #map(schema: JsonObject, depth: number): Json {
    const result: Record<string, Json> = {};
    if (depth >= MAX_DEPTH) return result;
    const properties = objectUnder(schema, 'properties');
    for (const [name, field] of Object.entries(properties)) {
      if (field !== false) setProperty(result, name, this.value(field, name, depth + 1));
    }
    for (const name of listUnder(schema, 'required')) {
      if (typeof name === 'string' && !Object.hasOwn(result, name)) setProperty(result, name, textFor({}, name));
    }
    return result;
  }

  #list(schema: JsonObject, name: string, depth: number): Json {
    const least = numberUnder(schema, 'minItems') ?? 1;
    const most = numberUnder(schema, 'maxItems') ?? MAX_ITEMS;
    const count = depth >= MAX_DEPTH ? 0 : Math.min(Math.max(least, 1), most, MAX_ITEMS);
    const items = own(schema, 'items') ?? {};
    const heads = [...listUnder(schema, 'prefixItems'), ...(isList(items) ? items : [])];
    const rest = isList(items) ? {} : items;
    const unique = own(schema, 'uniqueItems') === true;
    return Array.from({ length: count }, (_, at) => {
      const item = heads[at] ?? rest;
      const constants = unique && isObject(item) ? listUnder(this.merged(item), 'enum') : [];
      return constants[at] ?? this.value(item, count > 1 ? `${name} ${at + 1}` : name, depth + 1);
    });
  }
}

/** Returns true for an alternative that is not `null`. */
const isSomething = (schema: Json): boolean =>
  isObject(schema) && own(schema, 'type') !== 'null' && own(schema, 'const') !== null;

/** Returns the type of a schema, or the type that its keywords imply. */
function typeOf(schema: JsonObject): string {
  const type = own(schema, 'type');
  const first = isList(type) ? type.find((name) => name !== 'null') : type;
  if (typeof first === 'string') return first;
  if (isList(type) && type.length > 0) return 'null';
  if (own(schema, 'properties') !== undefined || own(schema, 'required') !== undefined) return 'object';
  if (own(schema, 'items') !== undefined || own(schema, 'prefixItems') !== undefined) return 'array';
  if (own(schema, 'minimum') !== undefined || own(schema, 'maximum') !== undefined) return 'number';
  return 'string';
}

function numberFor(schema: JsonObject, step: number): number {
  const by = numberUnder(schema, 'multipleOf');
  const unit = by !== undefined && by > 0 ? by : step;
  const above = numberUnder(schema, 'exclusiveMinimum');
  const below = numberUnder(schema, 'exclusiveMaximum');
  const least = numberUnder(schema, 'minimum') ?? (above === undefined ? undefined : above + unit);
  const most = numberUnder(schema, 'maximum') ?? (below === undefined ? undefined : below - unit);
  if (least === undefined && most === undefined) return by === undefined ? 1 : unit;
  if (least !== undefined) return by === undefined ? least : Math.ceil(least / unit) * unit;
  const highest = most as number;
  return by === undefined ? Math.min(1, highest) : Math.floor(Math.min(unit, highest) / unit) * unit;
}

/** The generated value for each format. Dates are constant because the composer has no clock. */
const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    date: '2025-03-31',
    'date-time': '2025-03-31T12:00:00Z',
    time: '12:00:00Z',
    duration: 'P1D',
    email: 'name@example.com',
    'idn-email': 'name@example.com',
    hostname: 'example.com',
    'idn-hostname': 'example.com',
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
    uri: 'https://example.com/',
    'uri-reference': '/example',
    iri: 'https://example.com/',
    'iri-reference': '/example',
    'uri-template': 'https://example.com/{id}',
    uuid: '00000000-0000-4000-8000-000000000000',
    'json-pointer': '/example',
    'relative-json-pointer': '0',
    regex: '.*',
  }),
);

/** Returns the title of the field, or its name in words, in quotation marks that distinguish it from real text. */
function textFor(schema: JsonObject, name: string): string {
  const format = own(schema, 'format');
  const ready = typeof format === 'string' ? FORMATS.get(format) : undefined;
  if (ready !== undefined) return ready;
  const title = own(schema, 'title');
  const words = typeof title === 'string' && title.trim() !== '' ? title.trim() : name.replaceAll(/[_-]+/g, ' ').trim();
  const least = Math.min(numberUnder(schema, 'minLength') ?? 0, MAX_TEXT);
  const most = Math.max(0, numberUnder(schema, 'maxLength') ?? MAX_TEXT);
  const inner = words.padEnd(least - 2, ' …');
  return most >= 3 ? `«${[...inner].slice(0, most - 2).join('')}»` : [...inner].slice(0, most).join('');
}
