/** Continuous runs: the tests that run again after a change, and the delay before each run. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { followChanges } from '../../../client/src/views/testing/continuous.ts';

type Server = Parameters<typeof followChanges>[0];

/** A runner with recorded callbacks and a clock that the test controls. */
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
    onSavedChanged: (listener: typeof kept) => {
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

test('reports edits once, within 200 ms after the last keystroke', () => {
  const { told, typed, wait } = following();
  typed('a');
  wait(100);
  typed('a');
  wait(100);
  assert.deepEqual(told, []);
  wait(100);
  assert.deepEqual(told, [['a']]);
});

test('reports composites of an edited skill immediately, but waits while the user types', () => {
  const { told, typed, composable, wait } = following();
  composable(['part', 'whole']);
  assert.deepEqual(told, [['part', 'whole']]);
  typed('part');
  composable(['whole']);
  assert.equal(told.length, 1);
  wait(200);
  assert.deepEqual(told[1], ['part', 'whole']);
});

test('an edit does not narrow a change that affects every skill', () => {
  const { told, typed, composable, wait } = following();
  typed('a');
  composable(null);
  typed('b');
  wait(200);
  assert.deepEqual(told, [null]);
});

test('reports nothing without listeners', () => {
  const { told, typed, wait, stop } = following();
  typed('a');
  stop();
  wait(200);
  assert.deepEqual(told, []);
});

test('reports files that are saved in quick succession together', () => {
  const { told, kept, wait } = following();
  kept(['a']);
  wait(100);
  kept(['b', 'a']);
  assert.deepEqual(told, []);
  wait(200);
  assert.deepEqual(told, [['a', 'b']]);
});
