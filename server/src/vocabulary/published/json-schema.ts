/** A JSON Schema (2020-12) of a vocabulary, for other tools (docs/exchange.md, "Schemas"). */
import type { Json } from '../../languages/yaml/node.ts';
import type { JsonObject } from '../../languages/yaml/same-json.ts';
import type { KeySpec, KeyTable, Shape } from '../shape.ts';

export interface PublishedSchema {
  /** The file in `server/schemas`. */
  readonly file: string;
  readonly title: string;
  readonly description: string;
  readonly keys: KeyTable;
  /** Whether keys beside those of the table are refused at the top and in each map of the table. */
  readonly isClosed: boolean;
}

export function jsonSchemaOf({ title, description, keys, isClosed }: PublishedSchema): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    description,
    ...ofKeys(keys, isClosed),
  };
}

function ofKeys(keys: KeyTable, isClosed: boolean): JsonObject {
  const required = keys.flatMap(({ name, mandatory, aliases }) => (mandatory && !aliases ? [name] : []));
  const spellings = keys.flatMap(({ name, mandatory, aliases }) =>
    mandatory && aliases ? [{ anyOf: [name, ...aliases].map((one) => ({ required: [one] })) }] : [],
  );
  const properties = keys.flatMap((spec) =>
    [spec.name, ...(spec.aliases ?? [])].map((name) => [name, ofKey(spec, isClosed)] as const),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(spellings.length > 0 && { allOf: spellings }),
    ...(isClosed && { patternProperties: { '^x-': {} }, additionalProperties: false }),
  };
}

function ofKey({ shape, docs, example, nullable }: KeySpec, isClosed: boolean): JsonObject {
  const own = ofShape(shape, isClosed);
  const description = example === undefined ? docs : `${docs} Such as \`${example}\`.`;
  return nullable ? { description, anyOf: [own, { type: 'null' }] } : { description, ...own };
}

function ofShape(shape: Shape, isClosed: boolean): JsonObject {
  switch (shape.kind) {
    case 'string':
      return {
        type: 'string',
        ...(shape.minLength !== undefined && { minLength: shape.minLength }),
        ...(shape.maxLength !== undefined && { maxLength: shape.maxLength }),
        ...(shape.pattern && { pattern: shape.pattern.source }),
        ...(shape.format && FORMATS.get(shape.format)),
      };
    case 'choice':
      return { oneOf: shape.choices.map(({ value, docs }): Json => ({ const: value, description: docs })) };
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
      return { type: 'array', items: ofShape(shape.items, isClosed) };
    case 'map':
      return ofKeys(shape.keys, isClosed);
    case 'record':
      return { type: 'object', additionalProperties: ofShape(shape.values, isClosed) };
    case 'either':
      return { anyOf: shape.shapes.map((one) => ofShape(one, isClosed)) };
    case 'schema':
      return { type: ['object', 'boolean'] };
    default:
      return {};
  }
}

/** What JSON Schema can say of a format of ours. */
const FORMATS: ReadonlyMap<string, JsonObject> = new Map([
  ['date', { format: 'date' }],
  ['regex', { format: 'regex' }],
]);
