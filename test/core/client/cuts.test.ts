/** The part of a description that the editor fades. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutsOf } from '../../../client/src/views/cuts.ts';
import { clientsOf, SKILL, tidyNotes } from '../../webview/clients.ts';

const cut = (files: Readonly<Record<string, string>>) =>
  cutsOf(clientsOf(files, SKILL).view).map(({ range, names }) => [range.start.line, range.start.character, names]);

test('fades the text that each target client cuts off, and names the clients', () => {
  const begin = 'description: '.length;
  // The last of 1,536 characters in Claude Code is an ellipsis.
  assert.deepEqual(cut(tidyNotes), [
    [2, begin + 1535, ['Claude Code']],
    [2, begin + 1024, ['VS Code']],
  ]);
});

test('fades nothing for clients that are not targets', () => {
  assert.deepEqual(cut({ ...tidyNotes, 'skills.config.yaml': 'agent_skills: {clients: [goose]}\n' }), []);
});

test('finds where a client cuts off a folded description', () => {
  const text = (tidyNotes[SKILL] ?? '').replace(
    /^description: .*$/m,
    `description: >-\n${'  Tidies notes about people and places.\n'.repeat(60)}`,
  );
  const [first] = cut({ ...tidyNotes, [SKILL]: text });
  // In the value, each line has 37 characters and a space; in the file, it is also indented by two spaces.
  assert.deepEqual(first, [3 + Math.floor(1535 / 38), 2 + (1535 % 38), ['Claude Code']]);
});
