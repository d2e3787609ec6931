/** What of a description fades in the editor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutsOf } from '../../../client/src/views/cuts.ts';
import { clientsOf, SKILL, tidyNotes } from '../../webview/clients.ts';

const cut = (files: Readonly<Record<string, string>>) =>
  cutsOf(clientsOf(files, SKILL).view).map(({ range, names }) => [range.start.line, range.start.character, names]);

test('the part behind the cut of each target client fades, and names those that cut there', () => {
  const begin = 'description: '.length;
  assert.deepEqual(cut(tidyNotes), [
    [2, begin + 1536, ['Claude Code']],
    [2, begin + 1024, ['VS Code']],
  ]);
});

test('nothing fades for clients that are no targets', () => {
  assert.deepEqual(cut({ ...tidyNotes, 'skills.config.yaml': 'agent_skills: {clients: [goose]}\n' }), []);
});
