/** The start of clients (lab/clients). */
import { strict as assert } from 'node:assert';
import { it } from 'node:test';
import { clientCalled } from '../../../lab/clients/index.ts';

const RUN = {
  workspace: '/work',
  start: '/work',
  home: '/home',
  installed: '/packages',
  program: 'opencode',
  path: [],
  model: 'http://127.0.0.1:1',
};

it('OpenCode receives the words that a person types after the name of a skill as separate arguments', () => {
  const run = { ...RUN, context: 200_000, prompt: '/s01-plain red blue', isApproved: true };
  assert.deepEqual(clientCalled('opencode').start(run).args, ['run', '--command', 's01-plain', 'red', 'blue']);
});
