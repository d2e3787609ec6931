import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecent } from '../../../server/src/recent.ts';

describe('what was made lately', () => {
  it('is known of the last few objects, each of which takes one place', () => {
    const recent = createRecent<object, string>(2);
    const [a, b, c] = [{}, {}, {}];
    assert.equal(recent.set(a, 'a'), 'a');
    recent.set(b, 'b');
    recent.set(b, 'again');
    assert.deepEqual([recent.get(a), recent.get(b), recent.get(c)], ['a', 'again', undefined]);
    recent.set(c, 'c');
    assert.deepEqual([recent.get(a), recent.get(b), recent.get(c)], [undefined, 'again', 'c']);
    assert.equal(recent.get({}), undefined);
  });
});
