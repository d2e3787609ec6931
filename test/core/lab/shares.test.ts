/** Counts of facts by how they are known (lab/shares.ts). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { sharesOf } from '../../../lab/shares.ts';

describe('a fact', () => {
  it('is known by observation, by reading, or not', () => {
    const client = {
      sources: {
        run: { where: 'pi@1.0.0 in the lab, observed (2026-11-29)', checked: '2026-11-29' },
        code: { where: 'pi skills.ts @83378aa', checked: '2026-11-29' },
      },
      fileName: { value: 'exact', source: 'run' },
      precedence: { value: 'first', source: 'code' },
      links: { value: { folder: 'followed', file: 'unknown' }, source: 'code', certainty: 'unverified' },
      byName: { value: 'unknown', source: 'code' },
    };
    assert.deepEqual(sharesOf(client as never), { observed: 1, read: 1, unverified: 1, unknown: 1 });
  });
});
