/** Laws of assignability, over generated schemas in shorthand and in JSON Schema, with fitting values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Assignability,
  compareTypes,
  isUsable,
  type ProducerValues,
  parseSchema,
  type Schema,
  toNode,
  validateJson,
} from '../../../server/src/languages/schema/schema.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { cases, SCALE } from '../../random.ts';

const name = fc.constantFrom('a', 'b', 'c');
const small = fc.constantFrom(0, 1, 2, 5);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** The object without undefined values. */
const compact = (json: object): Json => JSON.parse(JSON.stringify(json)) as Json;

/** Random schemas with few names and few bounds, so that two schemas are often related. */
const generated = fc.letrec<{ schema: Json; object: Json }>((tie) => {
  const sub = tie('schema');
  const listOf = (least: number) => fc.array(sub, { minLength: least, maxLength: 2 });
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<Json>({ type: 'string' }, { type: 'boolean' }, { type: 'null' }, {}, true),
      fc
        .record({ type: fc.constantFrom('integer', 'number'), minimum: optional(small), maximum: optional(small) })
        .map(compact),
      fc
        .record({
          type: fc.constant('number'),
          exclusiveMinimum: optional(small),
          multipleOf: optional(fc.constantFrom(1, 2, 4, 0.5)),
        })
        .map(compact),
      fc.record({ type: fc.constant('string'), minLength: optional(small), maxLength: optional(small) }).map(compact),
      fc
        .record({
          type: fc.constant('string'),
          format: optional(fc.constantFrom('date', 'email', 'uri', 'uri-reference')),
          pattern: optional(fc.constantFrom('^a', '.*')),
        })
        .map(compact),
      fc.record({
        enum: fc.uniqueArray(fc.constantFrom<Json>('x', 'y', 1, 2, true, null), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ const: fc.constantFrom<Json>('x', 1, 2.5, null) }),
      fc.record({
        type: fc.constantFrom(['string', 'null'], ['integer', 'string'], ['number', 'null'], ['string', 'boolean']),
      }),
      fc
        .record({
          type: fc.constant('array'),
          items: optional(sub),
          minItems: optional(small),
          uniqueItems: optional(fc.boolean()),
        })
        .map(compact),
      fc
        .record({ type: fc.constant('array'), prefixItems: optional(listOf(1)), items: sub, maxItems: optional(small) })
        .map(compact),
      tie('object'),
      fc.record({ anyOf: listOf(1) }),
      fc.record({ oneOf: listOf(1) }),
      fc.record({ allOf: listOf(1) }),
      fc.record({ not: sub }),
      fc.record({ $ref: fc.constantFrom('#/$defs/one', '#/$defs/two') }),
    ),
    object: fc
      .record({
        type: fc.constant('object'),
        properties: fc.dictionary(
          name,
          fc.oneof(sub, fc.record({ type: fc.constant('integer'), default: fc.constant(1) })),
          { maxKeys: 3, noNullPrototype: true },
        ),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: optional(fc.oneof(fc.boolean(), sub)),
      })
      .map(compact),
  };
});

const jsonSchema = fc
  .tuple(generated.object, generated.schema, generated.schema)
  .map(([top, one, two]) => ({ ...(top as object), $defs: { one, two } }) as Json);

const field = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('string', 'integer', 'number', 'boolean', 'date', 'any', 'object'),
      fc.constantFrom('', '?', '[]', '[]?'),
    )
    .map((words) => words.join('')),
  fc.uniqueArray(fc.constantFrom<Json>('x', 'y', 1), { minLength: 1, maxLength: 3 }),
  fc.record({ type: fc.constant('integer'), min: small, required: fc.boolean() }),
  fc.record({ type: fc.constant('string'), default: fc.constant('x') }),
  fc.record({ a: fc.constantFrom('string', 'integer', 'string?') }),
);
const shorthand = fc.dictionary(name, field as fc.Arbitrary<Json>, { minKeys: 1, maxKeys: 3, noNullPrototype: true });

const anySchema = fc
  .oneof({ weight: 2, arbitrary: jsonSchema }, { weight: 1, arbitrary: shorthand })
  .map((json) => parseSchema(toNode(json)))
  .filter(isUsable);

/** A schema, and a copy without some of its constraints, which probably accepts more values. */
const widened = fc
  .tuple(anySchema, fc.infiniteStream(fc.nat(5)))
  .map(([schema, dice]) => {
    const widen = (json: Json): Json => {
      if (Array.isArray(json)) return json.map(widen);
      if (typeof json !== 'object' || json === null) return json;
      const kept = Object.entries(json).filter(
        ([key]) => !/^(?:min|max|excl|mult|required|unique|format|pattern|not)/.test(key) || dice.next().value !== 0,
      );
      return Object.fromEntries(
        kept.map(([key, sub]) => [
          key,
          key === 'type' && sub === 'integer' && dice.next().value === 0 ? 'number' : widen(sub),
        ]),
      );
    };
    return {
      narrow: schema,
      wide: parseSchema(toNode(widen(schema.json))),
      wider: parseSchema(toNode(widen(widen(schema.json)))),
    };
  })
  .filter(({ wide, wider }) => isUsable(wide) && isUsable(wider));

const relate = (from: Schema, to: Schema, extent: ProducerValues = 'any-value'): Assignability['kind'] =>
  compareTypes(
    { json: from.json, root: from.json, dialect: from.dialect },
    { json: to.json, root: to.json, dialect: to.dialect },
    extent,
  ).kind;

const scalars = fc.constantFrom<Json>(
  '',
  'x',
  'y',
  'ax',
  '2025-03-31',
  'a@b.de',
  'https://a.b/c',
  0,
  1,
  2,
  2.5,
  3,
  7,
  -1,
  true,
  false,
  null,
);
const value = fc.letrec<{ value: Json; object: Json }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, scalars, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
})).object;

const show = (...schemas: readonly Schema[]) => schemas.map(({ json }) => JSON.stringify(json)).join('\n');
const RUNS = cases(400);

test('every schema is assignable to itself', () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      assert.equal(relate(schema, schema), 'assignable', show(schema));
      assert.equal(relate(schema, schema, 'as-produced'), 'assignable', show(schema));
    }),
    RUNS,
  );
});

test('if schemas are assignable, the consumer accepts every value that the producer accepts', () => {
  const counts = { assignable: 0, unknown: 0, clash: 0, tried: 0 };
  fc.assert(
    fc.property(
      fc.oneof(
        widened.map(({ narrow, wide }) => [narrow, wide] as const),
        fc.tuple(anySchema, anySchema),
      ),
      fc.array(value, { minLength: 12, maxLength: 12 }),
      ([from, to], values) => {
        const kind = relate(from, to);
        counts[kind]++;
        if (kind !== 'assignable') return;
        for (const one of values) {
          if (validateJson(from, one).length > 0) continue;
          counts.tried++;
          assert.deepEqual(validateJson(to, one), [], `${show(from, to)}\n${JSON.stringify(one)}`);
        }
      },
    ),
    RUNS,
  );
  assert.ok(
    counts.assignable > RUNS.numRuns / 10 && counts.clash > RUNS.numRuns / 10 && counts.tried > 50 * SCALE,
    JSON.stringify(counts),
  );
});

test('assignability is transitive', () => {
  let chains = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        widened.map(({ narrow, wide, wider }) => [narrow, wide, wider] as const),
        fc.tuple(anySchema, anySchema, anySchema),
      ),
      ([a, b, c]) => {
        if (relate(a, b) !== 'assignable' || relate(b, c) !== 'assignable') return;
        chains++;
        assert.equal(relate(a, c), 'assignable', show(a, b, c));
      },
    ),
    RUNS,
  );
  assert.ok(chains > RUNS.numRuns / 20, String(chains));
});
