/** The reasons for which a client finds a skill name the folder in which it must be started. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
import { rowAt, skillText } from './fixtures.ts';

const TEXT = skillText('name: deploy', 'description: Deploys the site.');

const reasonsIn = (id: string, path: string): readonly string[] => {
  const { found } = rowAt(findClient(id) ?? assert.fail(), path, TEXT);
  assert.equal(found.outcome, 'yes');
  return found.reasons.map(({ text }) => text);
};

it('in a package of a monorepo and in the root of a project', () => {
  assert.deepEqual(reasonsIn('claude-code', 'packages/web/.claude/skills/deploy/SKILL.md'), [
    'The client reads `.claude/skills` if it is started in `web` or in a folder below it, and otherwise after it has read a file in `web`',
  ]);
  assert.deepEqual(reasonsIn('codex', 'packages/web/.agents/skills/deploy/SKILL.md'), [
    'The client reads `.agents/skills` if it is started in `web` or in a folder below it',
  ]);
});
