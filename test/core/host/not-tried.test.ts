/** A run's report on the tests that it skipped. */
import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { notTried } from '../../host/not-tried.mjs';

it('a run lists the systems, stages and programs that it did not test', () => {
  const lines = notTried(['Core', 'Neovim'], ['Core'], ['There is no `zsh`.', 'There is no `fish`.'], 'linux').join(
    '\n',
  );
  assert.match(lines, /^\nNot tested here:\n {2}macOS and Windows themselves/);
  assert.match(lines, /\n {2}Neovim: `npm run test:all` runs them\n/);
  assert.match(lines, /\n {2}There is no `fish`\.\n {2}There is no `zsh`\.$/);
});

it('a run of all stages lists no skipped stage', () => {
  assert.equal(notTried(['Core'], ['Core'], [], 'darwin').length, 2);
  assert.match(notTried(['Core'], ['Core'], [], 'win32').join(), /Linux and macOS themselves/);
});
