/** What notifications show of texts that strangers have written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainMessage } from '../../../client/src/plain-message.ts';
import { sources } from '../sources.ts';

test('no text of an author becomes a link of a notification', () => {
  const message = 'There is no skill `[open](command:workbench.action.terminal.new)`.';
  assert.equal(plainMessage(message), 'There is no skill “[open] (command:workbench.action.terminal.new)”.');
});

test('the client shows notifications in one place', () => {
  const showing = sources.filter(
    ({ path, text }) => path.startsWith('client/') && /window\.show(Information|Warning|Error)Message/.test(text),
  );
  assert.deepEqual(
    showing.map(({ path }) => path),
    ['client/src/notify.ts'],
  );
});
