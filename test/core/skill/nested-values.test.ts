/** The depth of values, which every host checks before recursive code reads a value. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nestsDeeper } from '../../../server/src/languages/yaml/json-values.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';

const nested = (levels: number, value: Json = 1): Json =>
  Array.from({ length: levels }).reduce<Json>((inner, _, at) => (at % 2 === 0 ? [inner] : { a: inner }), value);

test('counts the lists and maps around a value', () => {
  for (const value of [1, null, 'text', [], {}] as const) assert.equal(nestsDeeper(value, 0), false);
  assert.equal(nestsDeeper(undefined, 0), false);
  for (const levels of [1, 2, 500, 100_000]) {
    assert.equal(nestsDeeper(nested(levels), levels), false);
    assert.equal(nestsDeeper(nested(levels), levels - 1), true);
    assert.equal(nestsDeeper([1, nested(levels - 1), 'x'], levels), false);
  }
});

test('ends for cyclic values, and reads values that occur several times once for each depth', () => {
  const cyclic: Json[] = [];
  cyclic.push(cyclic, cyclic);
  assert.equal(nestsDeeper(cyclic, 500), true);
  let shared: Json = 1;
  for (let level = 0; level < 400; level++) shared = [shared, shared];
  assert.equal(nestsDeeper(shared, 500), false);
  assert.equal(nestsDeeper(shared, 399), true);
});
