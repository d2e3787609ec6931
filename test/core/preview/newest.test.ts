/** A preview asks one question at a time, and the last one is always answered. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { newestOnly } from '../../../client/src/coalesce.ts';

/** Work that ends when it is told to; `seen` is the text that each run began with. */
function slowWork() {
  const seen: string[] = [];
  const ends: (() => void)[] = [];
  const state = { text: '' };
  const ask = newestOnly(async () => {
    seen.push(state.text);
    await new Promise<void>((end) => ends.push(end));
  });
  const type = (text: string): void => {
    state.text = text;
    ask();
  };
  const finish = async (): Promise<void> => {
    ends.shift()?.();
    await turn();
  };
  return { seen, type, finish };
}

test('the first keystroke is answered at once', () => {
  const { seen, type } = slowWork();
  type('a');
  assert.deepEqual(seen, ['a']);
});

test('of what is typed while an answer is under way, the last is asked next, and nothing else', async () => {
  const { seen, type, finish } = slowWork();
  for (const text of ['a', 'ab', 'abc', 'abcd']) type(text);
  assert.deepEqual(seen, ['a']);
  await finish();
  assert.deepEqual(seen, ['a', 'abcd']);
  await finish();
  assert.deepEqual(seen, ['a', 'abcd']);
});

test('a keystroke after the last answer begins anew', async () => {
  const { seen, type, finish } = slowWork();
  type('a');
  await finish();
  type('ab');
  assert.deepEqual(seen, ['a', 'ab']);
});
