/** Which tests run again, and when. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { followChanges } from '../../../client/src/views/testing/continuous.ts';

type Server = Parameters<typeof followChanges>[0];

/** What is called back, with a clock that the test turns. */
function following() {
  let now = 0;
  let due: { readonly at: number; readonly run: () => void } | undefined;
  let typed: (uri: string) => void = () => {};
  let kept: (uris: readonly string[]) => void = () => {};
  let composable: (uris: readonly string[] | null) => void = () => {};
  const dispose = (): void => {};
  const server = {
    onTextSent: (listener: typeof typed) => {
      typed = listener;
      return { dispose };
    },
    onComposableChanged: (listener: typeof composable) => {
      composable = listener;
      return { dispose };
    },
    onKeptChanged: (listener: typeof kept) => {
      kept = listener;
      return { dispose };
    },
  } as unknown as Server;
  const told: (readonly string[] | null)[] = [];
  const followed = followChanges(
    server,
    (uris) => told.push(uris && [...uris]),
    (milliseconds, run) => {
      due = { at: now + milliseconds, run };
      return () => {
        due = undefined;
      };
    },
  );
  return {
    told,
    typed: (uri: string) => typed(uri),
    kept: (uris: readonly string[]) => kept(uris),
    composable: (uris: readonly string[] | null) => composable(uris),
    wait: (milliseconds: number) => {
      now += milliseconds;
      const last = due;
      if (!last || last.at > now) return;
      due = undefined;
      last.run();
    },
    stop: () => followed.dispose(),
  };
}

test('what is typed is told once, within 200 ms after the last key', () => {
  const { told, typed, wait } = following();
  typed('a');
  wait(100);
  typed('a');
  wait(100);
  assert.deepEqual(told, []);
  wait(100);
  assert.deepEqual(told, [['a']]);
});

test('who composes an edited skill is told at once, and waits while somebody types', () => {
  const { told, typed, composable, wait } = following();
  composable(['part', 'whole']);
  assert.deepEqual(told, [['part', 'whole']]);
  typed('part');
  composable(['whole']);
  assert.equal(told.length, 1);
  wait(200);
  assert.deepEqual(told[1], ['part', 'whole']);
});

test('a change that may concern every skill is not narrowed by what is typed meanwhile', () => {
  const { told, typed, composable, wait } = following();
  typed('a');
  composable(null);
  typed('b');
  wait(200);
  assert.deepEqual(told, [null]);
});

test('nothing is told once nobody follows', () => {
  const { told, typed, wait, stop } = following();
  typed('a');
  stop();
  wait(200);
  assert.deepEqual(told, []);
});

test('kept files that a checkout changes at once are told together, once no more come', () => {
  const { told, kept, wait } = following();
  kept(['a']);
  wait(100);
  kept(['b', 'a']);
  assert.deepEqual(told, []);
  wait(200);
  assert.deepEqual(told, [['a', 'b']]);
});
