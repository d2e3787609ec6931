/**
 * Assignability as a table: the field of a producer, the field of a consumer, and the result (docs/format.md, section
 * 4).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareTypes, parseSchema, type SchemaPart, toNode } from '../../../server/src/languages/schema/schema.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';

/** A field in shorthand, or a JSON Schema if it has a keyword that the shorthand lacks. */
function part(field: Json): SchemaPart {
  const isJsonSchema = typeof field === 'object' && field !== null && !Array.isArray(field) && '$' in field;
  if (isJsonSchema) {
    const root = (field as { readonly $: { readonly [key: string]: Json } }).$;
    return { json: root, root, dialect: '2020-12' };
  }
  const { json, dialect } = parseSchema(toNode({ x: field }));
  return { json: (json.properties as { readonly x: Json }).x, root: json, dialect };
}

/** Returns `yes`, `unknown`, or the kind, path and types of the first conflict. */
function verdict(from: Json, to: Json): string {
  const result = compareTypes(part(from), part(to), 'as-produced');
  if (result.kind !== 'clash') return result.kind === 'assignable' ? 'yes' : 'unknown';
  const [{ kind, path, from: given, to: wanted }] = result.clashes;
  return `${kind}${path.length > 0 ? ` at ${path.join('.')}` : ''}: ${given} to ${wanted}`;
}

const json = (schema: { readonly [key: string]: Json }): Json => ({ $: schema });
const tree = json({
  type: 'object',
  properties: { name: { type: 'string' }, parts: { type: 'array', items: { $ref: '#' } } },
  required: ['name'],
});
const otherTree = (name: string): Json =>
  json({
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: { name: { type: name }, parts: { type: 'array', items: { $ref: '#/$defs/node' } } },
        required: ['name'],
      },
    },
  });

type JsonObject = { readonly [key: string]: Json };

const closed = (properties: JsonObject): JsonObject => ({ type: 'object', properties, additionalProperties: false });

const kindOf = (kind: string | JsonObject, more: JsonObject): JsonObject => {
  const properties = { kind: typeof kind === 'string' ? { const: kind } : kind, ...more };
  return { type: 'object', properties, required: Object.keys(properties) };
};

/** A union of maps that the constant in `kind` distinguishes. */
const oneOf = json({ oneOf: [kindOf('a', { x: { type: 'string' } }), kindOf('b', { x: { type: 'integer' } })] });

const TABLE: Readonly<Record<string, readonly (readonly [from: Json, to: Json, verdict: string])[]>> = {
  types: [
    ['string', 'string', 'yes'],
    ['integer', 'number', 'yes'],
    ['number', 'integer', 'type: number to integer'],
    ['string', 'integer', 'type: string to integer'],
    ['string', 'any', 'yes'],
    ['any', 'string', 'unknown'],
    ['null', json({ type: ['string', 'null'] }), 'yes'],
    [json({ type: ['string', 'null'] }), 'string', 'type: string | null to string'],
  ],
  values: [
    [['grim', 'wry'], 'string', 'yes'],
    [['grim', 'wry'], ['grim', 'wry', 'tender'], 'yes'],
    [['grim', 'odd'], ['grim', 'wry'], 'value: grim | odd to grim | wry'],
    ['string', ['grim', 'wry'], 'value: string to grim | wry'],
    ['boolean', [true, false], 'yes'],
    [[1, 2], { type: 'integer', min: 1 }, 'yes'],
    [['2025-03-31'], 'date', 'yes'],
    [['soon'], 'date', 'format: soon to date'],
  ],
  unions: [
    [json({ anyOf: [{ type: 'string' }, { type: 'integer' }] }), json({ type: ['number', 'string'] }), 'yes'],
    ['integer', json({ oneOf: [{ type: 'string' }, { type: 'integer' }] }), 'yes'],
    ['boolean', json({ oneOf: [{ type: 'string' }, { type: 'integer' }] }), 'type: boolean to string | integer'],
    [json({ anyOf: [{ type: 'string' }, { type: 'null' }] }), 'string', 'type: string | null to string'],
    [
      json({ type: 'integer' }),
      json({
        anyOf: [
          { type: 'integer', minimum: 5 },
          { type: 'integer', maximum: 5 },
        ],
      }),
      'unknown',
    ],
    [json({ allOf: [{ type: 'string' }, { minLength: 3 }] }), { type: 'string', min_length: 2 }, 'yes'],
  ],
  ranges: [
    [{ type: 'integer', min: 1, max: 5 }, { type: 'number', min: 0, max: 9 }, 'yes'],
    ['integer', { type: 'integer', min: 0 }, 'range: integer to integer, at least 0'],
    [json({ type: 'integer', exclusiveMinimum: 0 }), { type: 'integer', min: 1 }, 'yes'],
    [
      json({ type: 'number', exclusiveMinimum: 0 }),
      { type: 'number', min: 1 },
      'range: number, more than 0 to number, at least 1',
    ],
    ['string', { type: 'string', min_length: 1 }, 'range: string to string, at least 1 character'],
    ['date', { type: 'string', max_length: 10 }, 'unknown'],
    [json({ type: 'array', maxItems: 2 }), json({ type: 'array', maxItems: 3 }), 'yes'],
    ['string[]', json({ type: 'array', minItems: 1 }), 'range: string[] to array, at least 1 item'],
  ],
  multiples: [
    ['integer', json({ type: 'integer', multipleOf: 2 }), 'range: integer to integer, multiple of 2'],
    [json({ type: 'integer', multipleOf: 4 }), json({ type: 'integer', multipleOf: 2 }), 'yes'],
    [
      json({ type: 'integer', multipleOf: 3 }),
      json({ type: 'integer', multipleOf: 2 }),
      'range: integer, multiple of 3 to integer, multiple of 2',
    ],
    ['number', json({ type: 'number', multipleOf: 0.5 }), 'range: number to number, multiple of 0.5'],
    ['integer', json({ type: 'number', multipleOf: 1 }), 'yes'],
    ['integer', json({ type: 'number', multipleOf: 0.5 }), 'unknown'],
    [{ type: 'integer', min: 4, max: 4 }, json({ type: 'integer', multipleOf: 2 }), 'unknown'],
    [
      { type: 'integer', min: 4, max: 5 },
      json({ type: 'integer', multipleOf: 2 }),
      'range: integer, at least 4, at most 5 to integer, multiple of 2',
    ],
  ],
  'maps without other fields': [
    [{ x: 'string', y: 'string' }, json(closed({ x: { type: 'string' } })), 'extra at y: string to no such field'],
    [{ x: 'string', y: 'string?' }, json(closed({ x: { type: 'string' } })), 'extra at y: string to no such field'],
    [{ x: 'string' }, json(closed({ x: { type: 'string' }, y: {} })), 'yes'],
    [
      { v: { x: 'string', y: 'string' } },
      json({ type: 'object', properties: { v: closed({ x: { type: 'string' } }) } }),
      'extra at v.y: string to no such field',
    ],
    [{ v: { x: 'string', y: 'string' } }, json({ type: 'object', properties: { v: { properties: {} } } }), 'yes'],
  ],
  'unions with a constant': [
    [json(kindOf('c', {})), oneOf, 'value at kind: c to a | b'],
    [json(kindOf('a', { x: { type: 'string' } })), oneOf, 'yes'],
    [json(kindOf('a', {})), oneOf, 'missing at x: nothing to string'],
    [json(kindOf('a', { x: { type: 'integer' } })), oneOf, 'type at x: integer to string'],
    [json(kindOf('b', { x: { type: 'integer' } })), oneOf, 'yes'],
    [json({ type: 'object', properties: { kind: { const: 'c' } } }), oneOf, 'unknown'],
    [json(kindOf({ enum: ['a', 'b'] }, {})), oneOf, 'unknown'],
    [json(kindOf({ enum: ['a', 'c'] }, { x: { type: 'string' } })), oneOf, 'unknown'],
  ],
  'texts of a form': [
    ['date', 'string', 'yes'],
    ['string', 'date', 'format: string to date'],
    ['datetime', 'date', 'format: datetime to date'],
    ['uri', json({ type: 'string', format: 'uri-reference' }), 'yes'],
    [{ type: 'string', regex: '^a' }, { type: 'string', regex: '^a' }, 'yes'],
    ['string', { type: 'string', regex: '^a' }, 'pattern: string to string, ^a'],
    [{ type: 'string', regex: '^ab' }, { type: 'string', regex: '^a' }, 'unknown'],
  ],
  'lists and maps': [
    ['integer[]', 'number[]', 'yes'],
    ['string[]', 'integer[]', 'type at []: string to integer'],
    [{ id: 'string', extra: 'any' }, { id: 'string' }, 'yes'],
    [{ id: 'string' }, { id: 'string', note: 'string?' }, 'yes'],
    [{ id: 'string' }, { id: 'string', note: 'string' }, 'missing at note: nothing to string'],
    [{ id: 'string?' }, { id: 'string' }, 'missing at id: string, optional to string'],
    [{ user: { age: 'string' } }, { user: { age: 'integer' } }, 'type at user.age: string to integer'],
    [{ tone: { type: 'string', default: 'grim' } }, { tone: 'string' }, 'yes'],
    [{ id: 'string' }, { id: 'string', tone: { type: 'string', default: 'grim' } }, 'yes'],
  ],
  'references that lead back': [
    [tree, otherTree('string'), 'yes'],
    [otherTree('string'), tree, 'yes'],
    [tree, otherTree('integer'), 'type at name: string to integer'],
  ],
  'what is not decided': [
    ['string', json({ type: 'string', not: { const: 'x' } }), 'unknown'],
    ['string', json({ not: { type: 'integer' } }), 'unknown'],
    ['integer', json({ type: 'string', not: { const: 'x' } }), 'type: integer to string'],
  ],
};

describe('assignability', () => {
  for (const [title, rows] of Object.entries(TABLE)) {
    it(title, () => {
      for (const [from, to, expected] of rows) {
        assert.equal(verdict(from, to), expected, `${JSON.stringify(from)} to ${JSON.stringify(to)}`);
      }
    });
  }

  it('is fast for schemas with many combinations', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        {
          type: 'object',
          properties: {
            a: { $ref: `#/$defs/d${at + 1}` },
            b: { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { type: 'null' }] },
          },
        },
      ]),
    );
    const wide = (last: string): Json => json({ $ref: '#/$defs/d0', $defs: { ...defs, d40: { type: last } } });
    // Visiting each level twice would take exponential time.
    verdict(wide('string'), wide('integer'));
  });
});
