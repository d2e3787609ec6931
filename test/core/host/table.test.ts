/** The table of end-to-end tests. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { type Choice, table } from '../../e2e/table.ts';

/** Runs a table with a normal test and an extended test. Returns the names of the tests that ran. */
async function ran(choice: Choice): Promise<readonly string[]> {
  const names: string[] = [];
  const { test, run } = table<void>();
  test('usual', async () => void names.push('usual'));
  test.extended('extended', async () => void names.push('extended'));
  await run(undefined, choice, async () => undefined);
  return names;
}

describe('the runner of a table of end-to-end tests', () => {
  it('runs extended tests on request', async () => {
    assert.deepEqual(await ran({ extended: false }), ['usual']);
    assert.deepEqual(await ran({ extended: true }), ['usual', 'extended']);
  });

  it('runs an extended test that matches a filter', async () => {
    assert.deepEqual(await ran({ extended: false, filter: 'ext' }), ['extended']);
  });

  it('runs a failed test once, and runs the next test in the window that the caller opens', async () => {
    const windows: string[] = [];
    const { test, run } = table<string>();
    test('fails', async (window) => {
      windows.push(window);
      throw new Error('late');
    });
    test('passes', async (window) => void windows.push(window));
    const results = await run('first', { extended: false }, async ({ error }) => (error ? 'second' : undefined));
    assert.deepEqual(windows, ['first', 'second']);
    assert.match(results[0]?.error ?? '', /late/);
    assert.equal(results[1]?.error, undefined);
  });
});
