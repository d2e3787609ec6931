/** Which errors become messages for the user, and which stay errors of this program. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { toUserError, UserError, userMessage } from '../../../server/src/io/user-error.ts';

const sentence = (reason: string): string => `It cannot be written: ${reason}.`;

test('a failed operation on files becomes a message for the user', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open '/x'"), { code: 'EACCES', syscall: 'open' });
  const nul = Object.assign(new TypeError('The path contains null bytes'), { code: 'ERR_INVALID_ARG_VALUE' });
  for (const [error, message] of [
    [denied, 'It cannot be written: permission denied.'],
    [nul, 'It cannot be written: The path contains null bytes.'],
    [new Error('another program replaced it'), 'It cannot be written: another program replaced it.'],
  ] as const) {
    const made = toUserError(error, sentence);
    assert.ok(made instanceof Error && made.name === 'UserError', String(made));
    assert.equal(made.message, message);
  }
});

test('an internal error and a message for the user are not changed', () => {
  for (const error of [new TypeError('a'), new RangeError('b'), new SyntaxError('c'), new UserError('d')])
    assert.equal(toUserError(error, sentence), error);
});

test('only an error of the user has a message for the user', () => {
  assert.equal(userMessage(new UserError('Name a file.')), 'Name a file.');
  assert.throws(() => userMessage(new Error('broken')), /^Error: broken$/);
});
