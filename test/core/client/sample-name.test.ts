/** The proposed name of a new sample. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { nameForSample } from '../../../client/src/panels/preview/webview/input/sample-name.ts';

test('the name of a new sample is its first short value, which no other sample has', () => {
  assert.equal(nameForSample({ quick: true, place: 'the pass', tone: 'grim' }, []), 'the pass');
  assert.equal(nameForSample({ place: 'the pass' }, ['the pass', 'the pass 2']), 'the pass 3');
  assert.equal(nameForSample({ count: 5 }, []), '5');
  assert.equal(nameForSample(undefined, ['sample']), 'sample 2');
  for (const place of ['«place»', '', ' ', 'a: b', 'a\nb', 'x'.repeat(41), { name: 'Vey' }, ['Vey']])
    assert.equal(nameForSample({ place }, []), 'sample', JSON.stringify(place));
});
