/** Commands in Copilot CLI: the predictions are compared with a run of the client (`npm run lab -- --agents`). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COMMAND_FORMS } from '../../../lab/agents/command-forms.ts';
import observed from '../../../lab/agents/command-observed.json';
import { commandFaults } from '../../../server/src/clients/agents/command-faults.ts';

describe('a command in `.claude/commands`', () => {
  it(`is loaded as Copilot CLI ${observed.version} did`, () => {
    const loaded = COMMAND_FORMS.flatMap(({ id, text }) => (commandFaults(text).length === 0 ? [id] : []));
    assert.deepEqual(loaded, observed.loaded);
  });
});
