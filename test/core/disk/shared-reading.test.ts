/** One reading of the disk for many callers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedReading } from '../../../server/src/io/shared-reading.ts';

describe('a shared reading', () => {
  it('never overlaps another reading, and waiting callers share the next reading', async () => {
    const ends: (() => void)[] = [];
    let atOnce = 0;
    const read = sharedReading(async () => {
      assert.equal(++atOnce, 1);
      await new Promise<void>((resolve) => ends.push(resolve));
      atOnce--;
    });
    const first = read();
    await Promise.resolve();
    const later = Array.from({ length: 50 }, read);
    assert.equal(ends.length, 1);
    ends[0]?.();
    await first;
    await Promise.resolve();
    ends[1]?.();
    await Promise.all(later);
    assert.equal(ends.length, 2);
  });

  it('that fails affects only its callers', async () => {
    let count = 0;
    const read = sharedReading(async () => {
      if (++count === 1) throw new Error('gone');
    });
    await assert.rejects(read(), /gone/);
    await read();
  });
});
