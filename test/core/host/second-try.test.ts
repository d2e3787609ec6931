/** What becomes of an end-to-end test that fails. */
import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { type Result, table } from '../../e2e/table.ts';

async function resultOf(body: (window: string) => Promise<void>, anew?: () => Promise<string>): Promise<Result> {
  const tests = table<string>();
  tests.test('a test', body);
  const [result] = await tests.run('first window', undefined, async () => {}, anew);
  assert.ok(result);
  return result;
}

const failIn = (window: string) => async (given: string) => {
  if (given.startsWith(window)) throw new Error(`late in the ${given}`);
};

it('an end-to-end test that fails is tried once more in a new window, and why it failed is told', async () => {
  const result = await resultOf(failIn('first'), async () => 'second window');
  assert.equal(result.error, undefined);
  assert.match(result.before ?? '', /late in the first window/);
});

it('an end-to-end test that fails in both windows fails', async () => {
  const result = await resultOf(failIn(''), async () => 'second window');
  assert.match(result.error ?? '', /late in the second window/);
  assert.match(result.before ?? '', /late in the first window/);
});

it('an end-to-end test that no new window is opened for fails at once', async () => {
  const result = await resultOf(failIn('first'));
  assert.match(result.error ?? '', /late in the first window/);
  assert.equal(result.before, undefined);
});
