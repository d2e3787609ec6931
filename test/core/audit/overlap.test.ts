/** Finds only skills with nearly the same description. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { overlaps, similarVectors } from '../../../server/src/audit/overlap.ts';
import { termsOf } from '../../../server/src/matching/words.ts';

const pairsOf = (descriptions: readonly string[], threshold = 0.5) =>
  overlaps(descriptions.map(termsOf), threshold).pairs.map(({ a, b }) => [a, b]);

const REGISTRY = [
  'Finds a title in the shop by its name.',
  'Finds a title in the shop by its author.',
  'Merges meeting notes into one list of decisions.',
  'Writes a release note for each change since the last tag.',
  'Checks that the tone of a chapter fits the book.',
];

test('pairs two skills that differ in one word, but not different skills', () => {
  assert.deepEqual(pairsOf(REGISTRY), [[0, 1]]);
});

test('lists the common words of a pair in their original spelling', () => {
  const [pair] = overlaps(REGISTRY.map(termsOf), 0.5).pairs;
  assert.deepEqual([...(pair?.shared ?? [])].sort(), ['Finds', 'shop', 'title']);
});

test('compares Japanese descriptions by pairs of characters', () => {
  const texts = ['会議の議事録をまとめる。', '会議の議事録をまとめて送る。', '章の文体を確かめる。'];
  assert.deepEqual(pairsOf(texts), [[0, 1]]);
});

test('does not pair skills without descriptions', () => {
  assert.deepEqual(pairsOf(['', '', 'of the and']), []);
});

test('pairs the first of several equal descriptions with each of the others', () => {
  const { pairs } = overlaps(['Same words here.', 'Same words here.', 'Same words here.'].map(termsOf), 0.9);
  assert.deepEqual(
    pairs.map(({ a, b, similarity }) => [a, b, similarity.toFixed(6)]),
    [
      [0, 1, '1.000000'],
      [0, 2, '1.000000'],
    ],
  );
});

test('pairs equal descriptions at any threshold', () => {
  assert.deepEqual(pairsOf(['Finds a title in the shop.', 'Finds a title in the shop.'], 1), [[0, 1]]);
});

test('finds all pairs at or above the threshold', () => {
  const word = fc.constantFrom('merge', 'note', 'title', 'shop', 'tone', 'find', 'list', 'book', 'check', 'tag');
  const texts = fc.uniqueArray(fc.array(word, { minLength: 1, maxLength: 8 }), {
    minLength: 2,
    maxLength: 12,
    selector: (words) => words.join(' '),
  });
  fc.assert(
    fc.property(texts, fc.double({ min: 0.2, max: 0.9, noNaN: true }), (written, threshold) => {
      const terms = written.map((words) => termsOf(words.join(' ')));
      // With this low threshold nearly all skills are compared.
      const all = overlaps(terms, 1e-9).pairs.filter(({ similarity }) => similarity >= threshold);
      const found = overlaps(terms, threshold).pairs;
      assert.deepEqual(
        found.map(({ a, b }) => [a, b]),
        all.map(({ a, b }) => [a, b]),
      );
    }),
  );
});

test('pairs vectors with equal directions, regardless of their lengths', () => {
  const vector = (...values: number[]): Float64Array => Float64Array.from(values);
  const { pairs } = similarVectors([vector(1, 0, 0), vector(0, 1, 0), vector(5, 0.5, 0)], 0.85);
  assert.deepEqual(
    pairs.map(({ a, b }) => [a, b]),
    [[0, 2]],
  );
});

test('vectors of very large and very small numbers have the similarity of their directions', () => {
  const vectors = [
    [1, 2],
    [1e308, 1.7e308],
    [1e-320, 2e-320],
    [5e-324, 0],
    [1e308, -1e308],
  ];
  const { pairs } = similarVectors(
    vectors.map((one) => Float64Array.from(one)),
    0.99,
  );
  assert.deepEqual(
    pairs.map(({ a, b }) => [a, b]),
    [
      [0, 2],
      [0, 1],
      [1, 2],
    ],
  );
});
