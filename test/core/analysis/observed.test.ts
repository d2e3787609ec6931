/** Results that stand while nothing changes that they were made of. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ObservedResults, type Stamps } from '../../../server/src/analysis/observed.ts';
import { BODY, CATALOGS, FACTS, GRAPH, HEAD, NEIGHBOURS, Reads, SUMMARY } from '../../../server/src/skill/reads.ts';

/** In the order of the stamps. */
const KINDS = { HEAD, BODY, SUMMARY, GRAPH, CATALOGS, NEIGHBOURS, FACTS };
const STAMPS: Stamps = Object.keys(KINDS);

/** Results of computations that read one kind each, and those that are computed when all are asked for. */
function probes() {
  const reads = new Reads();
  const results = new ObservedResults(reads);
  const computedFor = (stamps: Stamps, uri = 'a'): readonly string[] => {
    const computed: string[] = [];
    for (const [kind, bit] of Object.entries(KINDS)) {
      const value = results.get(uri, stamps, kind, () => {
        reads.note(bit);
        computed.push(kind);
        return kind;
      });
      assert.equal(value, kind);
    }
    return computed;
  };
  return { reads, results, computedFor };
}

describe('the result of a computation', () => {
  it('is made once while nothing changes', () => {
    const { computedFor } = probes();
    assert.deepEqual(computedFor(STAMPS), Object.keys(KINDS));
    assert.deepEqual(computedFor(STAMPS), []);
    assert.deepEqual(computedFor([...STAMPS]), []);
  });

  it('is made again where something changed that it read, and nowhere else', () => {
    const { computedFor } = probes();
    computedFor(STAMPS);
    let stamps = STAMPS;
    for (const [at, kind] of Object.keys(KINDS).entries()) {
      stamps = stamps.with(at, `another ${kind}`);
      assert.deepEqual(computedFor(stamps), [kind]);
    }
    assert.deepEqual(computedFor(stamps.with(0, 'a third').with(6, 'a third')), ['HEAD', 'FACTS']);
  });

  it('is made again when what changed changes back', () => {
    const { computedFor } = probes();
    computedFor(STAMPS);
    assert.deepEqual(computedFor(STAMPS.with(1, 'another')), ['BODY']);
    assert.deepEqual(computedFor(STAMPS), ['BODY']);
  });

  it('depends on nothing where nothing was read', () => {
    const { results } = probes();
    let count = 0;
    for (const stamps of [STAMPS, STAMPS.map((stamp) => `another ${stamp}`)]) {
      results.get('a', stamps, 'constant', () => ++count);
    }
    assert.equal(count, 1);
  });

  it('is read by the computation that asks for it, also where it is not made again', () => {
    const { reads, results } = probes();
    const inner = () => results.get('a', STAMPS, 'inner', () => reads.note(BODY));
    assert.equal(reads.observe(inner).reads, BODY);
    assert.equal(reads.observe(inner).reads, BODY);
  });

  it('is that of its file alone, and kept for a bounded number of files', () => {
    const { computedFor } = probes();
    computedFor(STAMPS, 'a');
    assert.deepEqual(computedFor(STAMPS, 'b'), Object.keys(KINDS));
    assert.deepEqual(computedFor(STAMPS, 'a'), []);
    for (let n = 0; n < 100; n++) computedFor(STAMPS, `s${n}`);
    assert.deepEqual(computedFor(STAMPS, 'a'), Object.keys(KINDS));
  });
});
