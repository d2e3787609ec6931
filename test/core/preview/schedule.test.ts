/** Coalesced work never runs twice at the same time, and the last call is always handled. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { coalesce } from '../../../client/src/panels/kit/schedule.ts';

/** Work that ends when `finish` is called. `seen` has the text at the start of each run. */
function slowWork() {
  const seen: string[] = [];
  const ends: (() => void)[] = [];
  const state = { text: '' };
  const run = coalesce(
    async () => {
      seen.push(state.text);
      await new Promise<void>((end) => ends.push(end));
    },
    (error) => assert.fail(String(error)),
  );
  const type = (text: string): void => {
    state.text = text;
    run();
  };
  const finish = async (): Promise<void> => {
    ends.shift()?.();
    await turn();
  };
  return { seen, type, finish };
}

test('starts coalesced work immediately', () => {
  const { seen, type } = slowWork();
  type('a');
  assert.deepEqual(seen, ['a']);
});

test('after several calls during a run, runs once more for the last call', async () => {
  const { seen, type, finish } = slowWork();
  for (const text of ['a', 'ab', 'abc', 'abcd']) type(text);
  assert.deepEqual(seen, ['a']);
  await finish();
  assert.deepEqual(seen, ['a', 'abcd']);
  await finish();
  assert.deepEqual(seen, ['a', 'abcd']);
});

test('starts a new run for a call after the last run', async () => {
  const { seen, type, finish } = slowWork();
  type('a');
  await finish();
  type('ab');
  assert.deepEqual(seen, ['a', 'ab']);
});

test('runs again for a call during a run that fails, and for later calls', async () => {
  const seen: string[] = [];
  const failed: unknown[] = [];
  const ends: ((error: Error) => void)[] = [];
  let text = 'a';
  const run = coalesce(
    () => {
      seen.push(text);
      if (text === 'throws') throw new Error('at once');
      return new Promise<void>((_, fail) => void ends.push(fail));
    },
    (error) => void failed.push((error as Error).message),
  );
  run();
  text = 'ab';
  run();
  ends.shift()?.(new Error('first'));
  await turn();
  assert.deepEqual([seen, failed], [['a', 'ab'], ['first']]);
  ends.shift()?.(new Error('second'));
  await turn();
  text = 'throws';
  run();
  await turn();
  run();
  await turn();
  assert.deepEqual(seen, ['a', 'ab', 'throws', 'throws']);
  assert.deepEqual(failed, ['first', 'second', 'at once', 'at once']);
});
