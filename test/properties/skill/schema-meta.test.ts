/** A JSON Schema is refused exactly if the meta-schema of its dialect refuses it, according to ajv. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { findRejectedValues } from '../../../server/src/languages/schema/check.ts';
import { OLD_KEYWORDS, type ValueKind } from '../../../server/src/languages/schema/keywords.ts';
import { type JsonObject, KEYWORDS } from '../../../server/src/languages/schema/schema.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { cases, SCALE } from '../../random.ts';

const name = fc.constantFrom('a', 'b', 'a/b', 'a~b', '', 'type', 'items', 'constructor');
const names = fc.uniqueArray(name, { maxLength: 3 });
const mapOf = <T>(value: fc.Arbitrary<T>) => fc.dictionary(name, value, { maxKeys: 2, noNullPrototype: true });

/** Any value that may be at a wrong position. */
const odd = fc.oneof(
  fc.constantFrom<Json>('string', 'object', 'x', '', '#x', 'a#', 'a#b', '1a', '-', 'strng', true, false, null, [], {}),
  fc.constantFrom<Json>(0, -0, 1, 3, -1, 2.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  fc.constantFrom<Json>(
    ['a'],
    ['a', 'a'],
    ['a', 'b', 'a'],
    [1, 1],
    [1, '1'],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [null],
  ),
  fc.constantFrom<Json>(['string', 'null'], ['string', 'string'], ['string', 5], [[]], [{}], [true], { a: 5 }),
  fc.constantFrom<Json>({ a: [] }, { a: ['b', 'b'] }, { a: [1] }, { a: true }, { type: 'strng' }, { minLength: -1 }),
);

const schema = fc.letrec<{ schema: Json; object: JsonObject }>((tie) => {
  const sub = tie('schema');
  const subs = fc.array(sub, { minLength: 1, maxLength: 2 });
  const values: { readonly [kind in ValueKind]: fc.Arbitrary<Json> } = {
    any: odd,
    text: fc.constantFrom('', 'x', '#/$defs/a'),
    flag: fc.boolean(),
    flags: mapOf(fc.boolean()),
    number: fc.constantFrom(0, -1, 2.5, Number.POSITIVE_INFINITY),
    'positive-number': fc.constantFrom(1, 0.1),
    count: fc.constantFrom(0, 1, 7),
    list: fc.array(odd, { maxLength: 2 }),
    enum: fc.constantFrom<Json>(['a'], ['a', 1], [null, {}]),
    anchor: fc.constantFrom('a', '_b-c.1'),
    id: fc.constantFrom('https://example.com/a', 'b#', ''),
    types: fc.constantFrom<Json>('string', 'null', ['integer', 'array']),
    names,
    'dependent-names': mapOf(names),
    schema: sub,
    'schema-or-list': fc.oneof(sub, subs),
    'schema-list': subs,
    'schema-map': mapOf(sub),
    dependencies: mapOf(fc.oneof(sub, names)),
  };
  const entries = [...KEYWORDS, ...OLD_KEYWORDS].map(([keyword, { value }]) =>
    values[value].map((json) => [keyword, json] as const),
  );
  const some = fc.array(fc.oneof(...entries, fc.tuple(fc.constant('x-own'), odd)), { minLength: 1, maxLength: 4 });
  return {
    schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), tie('object')),
    object: some.map((list) => Object.fromEntries(list)),
  };
}).object;

/** Returns the schema with one value replaced; `at` counts the values in document order. */
function mutated(json: Json, at: number, replacement: Json): Json {
  let left = at;
  const copy = (value: Json): Json => {
    if (left-- === 0) return replacement;
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]));
  };
  return copy(json);
}

const pointer = (path: readonly (string | number)[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const OPTIONS = { strict: false, logger: false, allErrors: true, ownProperties: true } as const;

for (const [dialect, ajv, id] of [
  ['2020-12', new Ajv2020(OPTIONS), 'https://json-schema.org/draft/2020-12/schema'],
  ['draft-07', new Ajv(OPTIONS), 'http://json-schema.org/draft-07/schema'],
] as const) {
  test(`the meta-schema of ${dialect} rejects the same values as ajv`, () => {
    const counts = { accepted: 0, refused: 0 };
    const mutation = fc.tuple(schema, fc.nat(5), fc.option(odd, { freq: 9 }));
    fc.assert(
      fc.property(mutation, ([valid, at, replacement]) => {
        const json = replacement === null ? valid : mutated(valid, at + 1, replacement);
        const expected = ajv.validate(id, json) ? [] : (ajv.errors ?? []).map((error) => error.instancePath);
        // If ajv refuses nested values, it reports every value.
        const innermost = expected.filter((path) => !expected.some((other) => other.startsWith(`${path}/`)));
        const found = findRejectedValues(json, dialect).map(({ path }) => pointer(path));
        assert.deepEqual(found.sort(), [...new Set(innermost)].sort());
        counts[found.length === 0 ? 'accepted' : 'refused']++;
      }),
      cases(3000),
    );
    const least = 300 * Math.min(1, SCALE);
    assert.ok(counts.accepted > least && counts.refused > least, JSON.stringify(counts));
  });
}
