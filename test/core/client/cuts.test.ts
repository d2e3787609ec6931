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

test('of a description that is folded over several lines the lines behind the cut fade', () => {
  const text = (tidyNotes[SKILL] ?? '').replace(
    /^description: .*$/m,
    `description: >-\n${'  Tidies notes about people and places.\n'.repeat(60)}`,
  );
  const [first] = cut({ ...tidyNotes, [SKILL]: text });
  // Each line is 37 characters and a blank in the value, and indented by two in the file.
  assert.deepEqual(first, [3 + Math.floor(1536 / 38), 2 + (1536 % 38), ['Claude Code']]);
});
