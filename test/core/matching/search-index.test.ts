/** The cost of a long request with many skills, counted in words and in visited skills. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequest, SearchIndex } from '../../../server/src/matching/search-index.ts';

const NOTHING = { hasRoutingCases: false, hasSamples: false, hasOwner: false };
const NO_WORDS = { whenToUse: '', tags: [], triggerPhrases: [], intentPatterns: [], ...NOTHING };

function indexOf(descriptions: readonly string[]): SearchIndex {
  const index = new SearchIndex();
  for (const [at, description] of descriptions.entries()) {
    index.set(`s${at}`, { name: `s${at}`, version: undefined, words: { ...NO_WORDS, description } });
  }
  return index;
}

const words = (count: number, first: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${first}${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}r`);

test('looks up similar words for only the first of many misspelt words', () => {
  const right = words(200, 'gland');
  const index = indexOf(right);
  const request = readRequest(right.map((word) => word.replace('gland', 'glond')).join(' '));
  const { strange } = index.plan(request.keys);
  assert.equal(request.keys.length, 200);
  assert.deepEqual([...strange], request.keys.slice(0, 16));
  assert.ok(index.search(request).some(({ id }) => id === 's0'));
});

test('searches for only the rarest words if the other words are common', () => {
  const common = words(20, 'common');
  const index = indexOf([...Array.from({ length: 10_000 }, () => common.join(' ')), 'A lighthouse, common or not.']);
  const { keys } = index.plan(readRequest(`${common.join(' ')} lighthouse`).keys);
  assert.ok(keys.includes('lighthous'), keys.join());
  assert.equal(keys.length, 4);
});

test('searches for every word of a long request if there are few skills', () => {
  const common = words(60, 'common');
  const { keys } = readRequest(common.join(' '));
  assert.equal(indexOf(Array.from({ length: 300 }, () => common.join(' '))).plan(keys).keys.length, 60);
});

test('truncates a request of 100 KB before the search', () => {
  assert.ok(readRequest('lighthouse keeper '.repeat(6_000)).units.length < 400);
});
