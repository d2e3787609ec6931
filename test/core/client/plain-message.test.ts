/** Notifications that contain text from untrusted files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorMessage, itemText, plainMessage } from '../../../client/src/plain-message.ts';
import { sources } from '../sources.ts';

test("an author's text never becomes a link in a notification", () => {
  const message = 'There is no skill `[open](command:workbench.action.terminal.new)`.';
  assert.equal(plainMessage(message), 'There is no skill ‘[open] (command:workbench.action.terminal.new)’.');
});

test("an author's text never becomes an icon in a list", () => {
  const shown = itemText('Replace `$(pwd)/a` with `$(cd x)`');
  assert.doesNotMatch(shown, /\$\(/);
  assert.equal(shown.replaceAll('\u200b', ''), 'Replace ‘$(pwd)/a’ with ‘$(cd x)’');
});

test('every thrown value has a message', () => {
  const odd = [new Error('x'), 'x', null, undefined, 5, Symbol('x'), {}, Object.create(null)];
  for (const thrown of odd) assert.equal(typeof errorMessage(thrown), 'string');
});

test('only one module of the client and one of the server show notifications', () => {
  const showing = sources.filter(
    ({ path, text }) => path.startsWith('client/') && /window\.show(Information|Warning|Error)Message/.test(text),
  );
  assert.deepEqual(
    showing.map(({ path }) => path),
    ['client/src/notify.ts'],
  );
  const sending = sources.filter(({ path, text }) => path.startsWith('server/') && /ShowMessage/.test(text));
  assert.deepEqual(
    sending.map(({ path }) => path),
    ['server/src/frontends/lsp/handlers/client.ts'],
  );
});
