/** The comparison of two builds (`npm run bench -- --against FOLDER`). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { compare, tableOf } from '../../../bench/comparison.ts';

const comparing = (ours: readonly number[], theirs: readonly number[]) => compare('start, CPU', 'ms', ours, theirs);

describe('the comparison of two builds', () => {
  it('compares the values of the same round, so that a change of the load does not matter', () => {
    const { ratio, lowerQuartile, upperQuartile, isWorse } = comparing([100, 300, 102, 290], [100, 300, 100, 300]);
    assert.deepEqual([ratio, lowerQuartile, upperQuartile, isWorse], [1, 290 / 300, 1, false]);
  });

  it('is worse if three quarters of the ratios are above the limit', () => {
    assert.equal(comparing([106, 107, 108, 90], [100, 100, 100, 100]).isWorse, false);
    assert.equal(comparing([106, 107, 108, 109], [100, 100, 100, 100]).isWorse, true);
  });

  it('has no verdict in fewer than four rounds', () => {
    assert.equal(comparing([200, 200, 200], [100, 100, 100]).isWorse, false);
  });

  it('is a table with the median and the quartiles of the ratios', () => {
    const [, , line] = tableOf([comparing([106, 107, 108, 109], [100, 100, 100, 100])]).split('\n');
    assert.equal(line, '| start, CPU | 107 ms | 100 ms | **1.070** | 1.060 – 1.080 | WORSE |');
  });
});
