/** The parallel jobs of `npm test`. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { runJobs } from '../../host/jobs.mjs';

const passing = { passed: 1, failed: 0 };

/** Jobs that record their start, and that run until the test ends them. */
function controlled() {
  const events: string[] = [];
  const ends = new Map<string, (counts: { passed: number; failed: number }) => void>();
  const job = (name: string, ...needs: readonly string[]) => ({
    needs,
    run: (print: (text: string) => void) => {
      events.push(`${name} begins`);
      print(`output of ${name}\n`);
      return new Promise<{ passed: number; failed: number }>((resolve) => ends.set(name, resolve));
    },
  });
  const end = async (name: string, counts = passing) => {
    ends.get(name)?.(counts);
    // The waiting jobs start in later turns of the event loop.
    await new Promise(setImmediate);
  };
  return { events, job, end };
}

describe('jobs', () => {
  it('start in order, with at most one running job per slot', async () => {
    const { events, job, end } = controlled();
    const jobs = { a: job('a'), b: job('b'), c: job('c') };
    const done = runJobs(jobs, ['a', 'b', 'c'], { slots: 2, print: () => {} });
    assert.deepEqual(events, ['a begins', 'b begins']);
    await end('b');
    assert.deepEqual(events, ['a begins', 'b begins', 'c begins']);
    await end('a');
    await end('c');
    const { passed, failed, tested } = await done;
    assert.deepEqual([passed, failed, tested], [3, 0, true]);
  });

  it('wait for the jobs that they need, even if those jobs are not selected', async () => {
    const { events, job, end } = controlled();
    const jobs = { build: job('build'), test: job('test', 'build'), other: job('other') };
    const done = runJobs(jobs, ['test', 'other'], { slots: 2, print: () => {} });
    assert.deepEqual(events, ['build begins', 'other begins']);
    await end('build');
    assert.deepEqual(events.at(-1), 'test begins');
    await end('other');
    await end('test');
    assert.equal((await done).passed, 3);
  });

  it('are skipped if a required job has failed, while the other jobs run', async () => {
    const { events, job, end } = controlled();
    const jobs = { build: job('build'), pack: job('pack', 'build'), test: job('test', 'pack'), other: job('other') };
    const lines: string[] = [];
    const done = runJobs(jobs, ['test', 'other'], { slots: 1, print: (text) => lines.push(text) });
    await end('build', { passed: 0, failed: 1 });
    await end('other');
    assert.equal((await done).failed, 1);
    assert.deepEqual(events, ['build begins', 'other begins']);
    assert.match(lines.join(''), /test\n {2}left out: what it needs has failed\n/);
  });

  it('end if the last job is skipped', async () => {
    const jobs = {
      build: { run: async () => ({ passed: 0, failed: 1 }) },
      test: { needs: ['build'], run: async () => {} },
    };
    const { failed } = await runJobs(jobs, ['test'], { slots: 1, print: () => {} });
    assert.equal(failed, 1);
  });

  it('that throw an error are reported as failed, with the error', async () => {
    const lines: string[] = [];
    const jobs = { a: { run: () => Promise.reject(new Error('no disk')) } };
    const { failed } = await runJobs(jobs, ['a'], { slots: 2, print: (text) => lines.push(text) });
    assert.equal(failed, 1);
    assert.match(lines.join(''), /^a\nError: no disk\n/);
  });

  it('print their output in one piece after they end', async () => {
    const { job, end } = controlled();
    const lines: string[] = [];
    const done = runJobs({ a: job('a'), b: job('b') }, ['a', 'b'], { slots: 2, print: (text) => lines.push(text) });
    assert.deepEqual(lines, []);
    await end('b');
    await end('a');
    await done;
    assert.match(lines.join('|'), /^b\noutput of b\n {2}1 passed, 0 failed, \S+ s\n\|a\noutput of a\n/);
  });
});
