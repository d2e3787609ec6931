/** Messages in views that do not render Markdown. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { asTitle } from '../../server/src/text.ts';

test('a title shows names in quotation marks, and contains no invisible characters', () => {
  assert.equal(asTitle('Remove `red_page` from `tools`'), 'Remove ‘red_page’ from ‘tools’');
  assert.equal(asTitle('Replace with `a\nb`'), 'Replace with ‘a␊b’');
  assert.equal(asTitle('Add the closing `'), 'Add the closing `');
});
