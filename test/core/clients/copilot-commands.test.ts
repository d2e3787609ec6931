/** Commands in `.claude/commands` that Copilot CLI loads: seen twice with @github/copilot@1.0.102 on 2026-11-30. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandFaults } from '../../../server/src/clients/agents/command-faults.ts';

const keys = (text: string) => `---\n${text}\n---\nChop.\n`;

const LOADED = [
  '',
  'Chop.\n',
  '# Chop\n\nText.\n',
  keys('description: Chops.'),
  keys('description: ""'),
  keys('description: 2026-01-01'),
  keys('description: >-\n  Chops.'),
  keys(' description: Chops.'),
  keys('allowed-tools: Read'),
  keys('description: Chops.\nallowed-tools: []'),
  keys('description: Chops.\nmodel: 7'),
  keys('description: Chops.\nunknown: 7\nhooks: []'),
  keys('name: other-name\ndescription: Chops.'),
  'Chop.\n---\ndescription: Chops.\n---\n',
  '\uFEFF---\ndescription: Chops.\n---\nChop.\n',
  '---\r\ndescription: Chops.\r\n---\r\nChop.\r\n',
];

const REFUSED = [
  keys('description: "Chops.'),
  keys('description: Chops: leeks.'),
  keys('description: [x]'),
  keys('description: 7'),
  keys('description: true'),
  keys('description:'),
  keys('description: Chops.\ndescription: Cuts.'),
  keys('description: Chops.\nallowed-tools: 7'),
  keys('description: Chops.\nallowed-tools:'),
  keys('description: Chops.\nallowed-tools: [Read, 7]'),
  keys('description: Chops.\nallowed-tools: {a: b}'),
  keys('description: Chops.\nallowed-tools: Bash(git: *), Read'),
  keys('description: Chops.\nargument-hint: [a]'),
  keys('description: Chops.\nargument-hint: [a] [b]'),
  keys('description: Chops.\ndisable-model-invocation: "true"'),
  keys('name: 7\ndescription: Chops.'),
  keys('name: A Name\ndescription: Chops.'),
  '---\ndescription: Chops.\n',
  '\n---\ndescription: Chops.\n---\nChop.\n',
  '---\ndescription: Chops.\n...\nChop.\n',
];

describe('a command in Copilot CLI', () => {
  it('is loaded as the client did', () => {
    for (const text of LOADED) assert.deepEqual(commandFaults(text), [], JSON.stringify(text));
    for (const text of REFUSED) assert.notDeepEqual(commandFaults(text), [], JSON.stringify(text));
  });
});
