import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createProgress } from '../../../server/src/io/stderr.ts';

it('shows progress only after half a second, updates it at intervals, and removes it at the end', () => {
  let clock = 0;
  const said: string[] = [];
  const progress = createProgress(
    (text) => said.push(text),
    () => clock,
  );
  for (let file = 0; file < 100; file++, clock += 10) progress.step('Reading', file, 100);
  progress.end();
  progress.end();
  assert.deepEqual(said, [...[50, 60, 70, 80, 90].map((file) => `\r\u001b[KReading ${file} of 100`), '\r\u001b[K']);
});
