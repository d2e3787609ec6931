/** Writes a vocabulary as JSON Schema (2020-12) for other tools (docs/exchange.md, "Schemas"). */

import { shorthandTypes } from '../../languages/schema/shorthand/type-expression.ts';
import type { JsonObject } from '../../languages/yaml/json-values.ts';
import { SERVICE_PROMISES } from '../policy-keys.ts';
import type { Format, KeySpec, KeyTable, Need, Shape } from '../shape.ts';

export interface PublishedSchema {
  /** The file in `dist/schemas`. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly keys: KeyTable;
  /** The keys that are allowed in addition to the tables: `own` allows those that begin with `x-`. */
  readonly otherKeys: 'own' | 'any' | 'none';
  /** Authors write the file by hand as YAML: an optional value may be empty. */
  readonly isYaml?: true;
  /** The file is valid without any key. An empty file, or one with only comments, is null in YAML. */
  readonly mayBeEmpty?: true;
  /** The names of shapes that have their own definition. Recursive shapes always have one. */
  readonly definitions?: ReadonlyMap<Shape, string>;
  /** Further keywords of the schema. */
  readonly also?: JsonObject;
}

export function jsonSchemaOf(schema: PublishedSchema): JsonObject {
  const { title, description, keys, mayBeEmpty, also } = schema;
  const writer = new SchemaWriter(schema);
  const body = writer.ofKeys(keys);
  const definitions = Object.fromEntries(writer.definitions);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    description,
    ...body,
    ...(mayBeEmpty && { type: ['object', 'null'] }),
    ...also,
    ...(writer.definitions.size > 0 && { $defs: definitions }),
  };
}

const NULL: JsonObject = { type: 'null' };

const referenceTo = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });

class SchemaWriter {
  readonly definitions = new Map<string, JsonObject>();
  readonly #published: PublishedSchema;
  readonly #recursive: ReadonlySet<Shape>;
  /** The names of the definitions by shape. */
  readonly #names: Map<Shape, string>;

  constructor(published: PublishedSchema) {
    this.#published = published;
    this.#recursive = recursiveShapes(published.keys);
    this.#names = new Map(published.definitions);
  }

  ofKeys(keys: KeyTable, needs: readonly Need[] = [], filled = false): JsonObject {
    const { otherKeys } = this.#published;
    const required = keys.flatMap(({ name, mandatory, aliases, unless }) =>
      mandatory && !aliases && !unless ? [name] : [],
    );
    const together = [...keys.flatMap(spellingsOf), ...keys.flatMap(conditionOf), ...needs.map(needOf)];
    const properties = keys.flatMap((spec) =>
      [spec.name, ...(spec.aliases ?? [])].map((name) => [name, this.#ofKey(spec, filled)] as const),
    );
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      ...(together.length > 0 && { allOf: together }),
      ...(otherKeys === 'own' && { patternProperties: { '^x-': {} } }),
      ...(otherKeys !== 'any' && { additionalProperties: false }),
    };
  }

  #ofKey({ name, shape, docs, example, mandatory, nullable }: KeySpec, filled: boolean): JsonObject {
    const own = this.#ofShape(shape, name);
    const description = example === undefined ? docs : `${docs} Such as \`${example}\`.`;
    const mayBeEmpty = this.#published.isYaml && !filled && (!mandatory || shape.kind === 'schema');
    return { description, ...(nullable || mayBeEmpty ? orNull(own) : own) };
  }

  /** `key` is the key of the shape; it becomes the name of the definition if one is needed. */
  #ofShape(shape: Shape, key: string): JsonObject {
    const name = this.#names.get(shape) ?? (this.#recursive.has(shape) ? key : undefined);
    if (name === undefined) return this.#written(shape, key);
    this.#names.set(shape, name);
    if (!this.definitions.has(name)) {
      // A shape may contain itself, so its name is taken first.
      this.definitions.set(name, {});
      this.definitions.set(name, this.#written(shape, key));
    }
    return referenceTo(name);
  }

  #written(shape: Shape, key: string): JsonObject {
    switch (shape.kind) {
      case 'string':
        return ofString(shape, this.#published.isYaml === true);
      case 'choice':
        return {
          oneOf: [
            ...shape.choices.map(({ value, docs }) => ({ const: value, description: docs })),
            ...(shape.pattern ? [{ type: 'string', pattern: shape.pattern.source }] : []),
          ],
        };
      case 'boolean':
        return { type: 'boolean' };
      case 'number':
        return {
          type: shape.integer ? 'integer' : 'number',
          ...(shape.min !== undefined && { minimum: shape.min }),
          ...(shape.max !== undefined && { maximum: shape.max }),
          ...(shape.positive && { exclusiveMinimum: 0 }),
        };
      case 'list':
        return { type: 'array', items: this.#ofItem(shape.items, key, shape.filled) };
      case 'map':
        return this.ofKeys(shape.keys, shape.needs, shape.filled);
      case 'record':
        return { type: 'object', additionalProperties: this.#ofItem(shape.values, key, shape.filled) };
      case 'either':
        return { anyOf: shape.shapes.map((one) => this.#ofShape(one, key)) };
      case 'schema':
        for (const [name, definition] of fieldsSchema) this.definitions.set(name, definition);
        return referenceTo('schema');
      default:
        return {};
    }
  }

  #ofItem(shape: Shape, key: string, filled = false): JsonObject {
    const own = this.#ofShape(shape, key);
    return this.#published.isYaml && !filled ? orNull(own) : own;
  }
}

/** Returns the conditions for a key with several spellings, or with a key that replaces it. */
function spellingsOf({ name, mandatory, aliases = [], unless }: KeySpec): readonly JsonObject[] {
  const spellings = [name, ...aliases];
  const needed = mandatory && (aliases.length > 0 || unless);
  return [
    ...(needed ? [{ anyOf: [...spellings, ...(unless ? [unless] : [])].map((one) => ({ required: [one] })) }] : []),
    ...spellings.flatMap((one, index) =>
      spellings.slice(index + 1).map((other): JsonObject => ({ not: { required: [one, other] } })),
    ),
  ];
}

/** Returns the conditions for a key that a value of another key requires. */
function conditionOf({ name, with: other }: KeySpec): readonly JsonObject[] {
  if (!other) return [];
  const [key, value] = other;
  const required = [name];
  return [
    {
      if: { properties: { [key]: { const: value } }, required: [key] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required },
      else: { not: { required } },
    },
  ];
}

const needOf = ({ key, value, oneOf, unless }: Need): JsonObject => ({
  if: {
    properties: { [key]: { const: value } },
    required: [key],
    ...(unless && { not: { required: [unless] } }),
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { anyOf: oneOf.map((name) => ({ required: [name] })) },
});

/** Returns a schema that also accepts null. */
function orNull(own: JsonObject): JsonObject {
  const { type, oneOf, anyOf } = own;
  // `required` accepts null, so `not` would refuse it.
  if (own.$ref !== undefined || own.allOf !== undefined) return { anyOf: [own, NULL] };
  if (Array.isArray(oneOf)) return { ...own, oneOf: [...oneOf, NULL] };
  if (Array.isArray(anyOf)) return { ...own, anyOf: [...anyOf, NULL] };
  if (type === undefined) return own;
  return { ...own, type: [...(Array.isArray(type) ? type : [type]), 'null'] };
}

// JSON Schemas for strings, and for the schemas of contracts (docs/format.md, section 3).

/** The form that semver.org publishes. */
const SEMVER = String.raw`(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?`;
const DATE = String.raw`\d{4}-\d{2}-\d{2}`;

const FORMATS: ReadonlyMap<Format, JsonObject> = new Map([
  ['semver', { pattern: `^${SEMVER}$` }],
  ['semver-or-date', { pattern: `^(?:${SEMVER}|${DATE})$` }],
  ['date', { format: 'date', pattern: `^${DATE}$` }],
  ['regex', { format: 'regex' }],
]);

/** Formats of the source text, which YAML may read as a number or a boolean: `version: 1`, `condition: true`. */
const WRITTEN: ReadonlySet<Format> = new Set(['semver-range', 'condition', 'regex']);

function ofString(shape: Extract<Shape, { kind: 'string' }>, isYaml: boolean): JsonObject {
  const { format, minLength, maxLength, pattern } = shape;
  return {
    type: isYaml && format && WRITTEN.has(format) ? ['string', 'number', 'boolean'] : 'string',
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    // A string of spaces counts as empty.
    ...(minLength !== undefined && { pattern: String.raw`\S` }),
    ...(pattern && { pattern: pattern.source }),
    ...(format && FORMATS.get(format)),
  };
}

const WORDS = shorthandTypes.map(({ name }) => name).join('|');

/** A type in one line: `integer[]?, description`. */
const TYPE_EXPRESSION = String.raw`^\s*(?:${WORDS}) *(?:\[\] *)*(?:\? *(?:\[\] *)*)?\s*(?:,[\s\S]*)?$`;

const isText: JsonObject = { type: 'string' };
const isList: JsonObject = { type: 'array' };

/** The keys that make a map a JSON Schema, with the schema of their values. */
const JSON_SCHEMA_KEYS: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['type', { const: 'object' }],
  ['$ref', isText],
  ['$schema', isText],
  ['allOf', isList],
  ['anyOf', isList],
  ['oneOf', isList],
  ['properties', { type: 'object', not: { required: ['type'], properties: { type: isText } } }],
]);

/** A contract's schema, in shorthand or as JSON Schema, and a field of the shorthand. */
const fieldsSchema: ReadonlyMap<string, JsonObject> = new Map([
  [
    'schema',
    {
      description: 'A map of fields to their types, or a JSON Schema.',
      type: 'object',
      if: {
        anyOf: [...JSON_SCHEMA_KEYS].map(([name, value]) => ({
          required: [name],
          properties: { [name]: value },
        })),
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {},
      else: { additionalProperties: { $ref: '#/$defs/field' } },
    },
  ],
  [
    'field',
    {
      description: `A type (${shorthandTypes.map(({ name }) => `\`${name}\``).join(', ')}) with \`[]\` for a list and \`?\` for an optional field, the allowed values, or a map.`,
      type: ['string', 'array', 'object', 'null'],
      pattern: TYPE_EXPRESSION,
      minItems: 1,
      items: { type: ['string', 'number', 'boolean', 'null'] },
      properties: { type: { description: 'The type of the field.', $ref: '#/$defs/field' } },
    },
  ],
]);

const isThere = (path: readonly string[]): JsonObject => {
  const [name = '', ...rest] = path;
  const value = rest.length > 0 ? { type: 'object', ...isThere(rest) } : { not: { type: 'null' } };
  return { required: [name], properties: { [name]: value } };
};

/** A skill with a service must declare all facts that a service requires. */
export const serviceSchema: JsonObject = {
  if: isThere(['backing_service']),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    allOf: SERVICE_PROMISES.map(({ paths }) =>
      paths.length === 1 ? isThere(paths[0] ?? []) : { anyOf: paths.map(isThere) },
    ),
  },
};

// Finds recursive shapes, such as steps within steps: a JSON Schema has to refer to them.

/** Returns at least one shape of each cycle. */
function recursiveShapes(keys: KeyTable): ReadonlySet<Shape> {
  const found = new Set<Shape>();
  const open = new Set<Shape>();
  const done = new Set<Shape>();
  const visit = (shape: Shape): void => {
    if (open.has(shape)) found.add(shape);
    if (open.has(shape) || done.has(shape)) return;
    open.add(shape);
    for (const part of partsOf(shape)) visit(part);
    open.delete(shape);
    done.add(shape);
  };
  for (const { shape } of keys) visit(shape);
  return found;
}

function partsOf(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case 'list':
      return [shape.items];
    case 'map':
      return shape.keys.map((key) => key.shape);
    case 'record':
      return [shape.values];
    case 'either':
      return shape.shapes;
    default:
      return [];
  }
}
