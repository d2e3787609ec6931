/** The wording of results in the Testing view. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutOwner } from '../../../client/src/views/testing/result-text.ts';

test('does not repeat a message that contains the expected text', () => {
  const message = 'The text does not contain `nine guests`.';
  assert.equal(
    withoutOwner({ name: 'winter-table › contains nine guests', of: 'winter-table', message }),
    'The text does not contain ‘nine guests’.',
  );
});

test('adds the expectation to a message that does not contain it', () => {
  const result = { name: 'ada › has at most 3 words', of: 'ada', message: 'The text has 7 words.' };
  assert.equal(withoutOwner(result), 'has at most 3 words. The text has 7 words.');
});

test('leaves out the name of the sample', () => {
  assert.equal(withoutOwner({ name: 'ada', of: 'ada', message: '`x` is undefined.' }), '‘x’ is undefined.');
});
