/** The known names that are closest to a misspelt name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { distance } from 'fastest-levenshtein';
import { nearestNames } from '../../server/src/nearest.ts';

test('finds names that differ by an edit, swapped letters, a missing ending, case or dashes', () => {
  const known = ['read_page', 'read_pages', 'write_page', 'list'];
  assert.deepEqual(nearestNames('reed_page', known), ['read_page', 'read_pages']);
  assert.deepEqual(nearestNames('raed_page', known, 1), ['read_page']);
  assert.deepEqual(nearestNames('wri', known), ['write_page']);
  assert.deepEqual(nearestNames('Read-Page', known, 1), ['read_page']);
  assert.deepEqual(nearestNames('d', ['e']), []);
  assert.deepEqual(nearestNames('list', ['list']), []);
});

/** A reference implementation that compares every name. */
function nearestOfAll(word: string, known: readonly string[], limit: number): readonly string[] {
  const fold = (text: string) => text.toLowerCase().replaceAll('-', '_');
  const target = fold(word);
  const isSwap = (a: string, b: string) =>
    [...a].some((_, at) => a !== b && `${a.slice(0, at)}${a[at + 1]}${a[at]}${a.slice(at + 2)}` === b);
  const scoreOf = (name: string) => {
    if (target.length >= 3 && name.startsWith(target)) return 1;
    return isSwap(target, name) ? 1 : distance(target, name);
  };
  return known
    .filter((name) => name !== word)
    .map((name) => ({ name, folded: fold(name), score: scoreOf(fold(name)) }))
    .filter(
      ({ folded, score }) =>
        score <= Math.max(1, Math.floor(target.length / 3)) && score < Math.max(target.length, folded.length),
    )
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

test('the quick filter never rejects a similar name', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', '-', '_', 'é'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      name,
      fc.uniqueArray(name, { maxLength: 120 }),
      fc.integer({ min: 1, max: 4 }),
      (word, known, limit) => {
        assert.deepEqual(nearestNames(word, known, limit), nearestOfAll(word, known, limit));
      },
    ),
  );
});
