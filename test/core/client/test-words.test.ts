/** What the Testing view says of a result. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutOwner } from '../../../client/src/views/testing/words.ts';

test('a message that quotes what was looked for is not told twice', () => {
  const message = 'It does not contain `nine guests`.';
  assert.equal(
    withoutOwner({ name: 'winter-table › contains nine guests', of: 'winter-table', message }),
    'It does not contain “nine guests”.',
  );
});

test('a message that does not say what it is about stands behind that', () => {
  const result = { name: 'ada › has at most 3 words', of: 'ada', message: 'It has 7 words.' };
  assert.equal(withoutOwner(result), 'has at most 3 words. It has 7 words.');
});

test('the name of a sample is left to its item', () => {
  assert.equal(withoutOwner({ name: 'ada', of: 'ada', message: '`x` is undefined.' }), '“x” is undefined.');
});
