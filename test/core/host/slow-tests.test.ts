/** A run's list of its slowest tests. */
import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { runJobs } from '../../host/jobs.mjs';
import { linesOfSlowest, slowestOf } from '../../host/slow-tests.mjs';

const suiteOf = (...times: readonly number[]) => ({
  run: async () => ({
    ...{ passed: times.length, failed: 0 },
    slowest: slowestOf(times.map((ms) => ({ name: `takes ${ms}`, ms }))),
  }),
});

it('a run lists the ten slowest tests of all suites, with their suites', async () => {
  const jobs = { Core: suiteOf(900, 12_300, 499), Protocol: suiteOf(...Array(20).fill(2000), 5000) };
  const { slowest } = await runJobs(jobs, ['Core', 'Protocol'], { slots: 2, print: () => {} });
  const [title, first, second, ...others] = linesOfSlowest(slowest);
  assert.equal(title, '\nSlowest tests:');
  assert.equal(first, '   12.3 s  Core: takes 12300');
  assert.equal(second, '    5.0 s  Protocol: takes 5000');
  assert.deepEqual(others, Array(8).fill('    2.0 s  Protocol: takes 2000'));
});

it('a run of fast tests lists none', () => {
  assert.deepEqual(linesOfSlowest([{ suite: 'Core', name: 'fast', ms: 499 }]), []);
});
