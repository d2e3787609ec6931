/** What a computation reads is seen, by itself and by those around it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BODY, FACTS, GRAPH, HEAD, Reads } from '../../../server/src/skill/reads.ts';

test('a computation has read what is noted while it runs', () => {
  const reads = new Reads();
  reads.note(FACTS);
  const observed = reads.observe(() => {
    reads.note(HEAD);
    reads.note(GRAPH);
    return 'its value';
  });
  assert.deepEqual(observed, { value: 'its value', reads: HEAD | GRAPH });
});

test('what an inner computation reads is read by the outer one, and not the other way round', () => {
  const reads = new Reads();
  const outer = reads.observe(() => {
    reads.note(HEAD);
    const inner = reads.observe(() => reads.note(BODY));
    reads.note(FACTS);
    return inner.reads;
  });
  assert.deepEqual(outer, { value: BODY, reads: HEAD | BODY | FACTS });
});

test('what is read before a computation throws is read by the one around it', () => {
  const reads = new Reads();
  const outer = reads.observe(() => {
    assert.throws(() =>
      reads.observe(() => {
        reads.note(BODY);
        throw new Error('no value');
      }),
    );
    reads.note(HEAD);
  });
  assert.equal(outer.reads, HEAD | BODY);
});
