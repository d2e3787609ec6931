/** The reasons for which a client finds a skill name the folder that it must open. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
import { skillText } from './fixtures.ts';

const TEXT = skillText('name: deploy', 'description: Deploys the site.');

function reasonsIn(id: string, path: string): readonly string[] {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text: TEXT });
  const file = workspace.analysis.file(`file:///w/${path}`) ?? assert.fail();
  const [row] = workspace.analysis.clientRows(file, [findClient(id) ?? assert.fail()]);
  assert.equal(row?.found.outcome, 'yes');
  return row.found.reasons.map(({ text }) => text);
}

it('in a package of a monorepo', () => {
  assert.deepEqual(reasonsIn('claude-code', 'packages/web/.claude/skills/deploy/SKILL.md'), [
    'The client reads `.claude/skills`: it finds the skill if it opens `packages/web` or a folder in it, or after it reads a file there.',
  ]);
  assert.deepEqual(reasonsIn('codex', 'packages/web/.agents/skills/deploy/SKILL.md'), [
    'The client reads `.agents/skills`: it finds the skill only if it opens `packages/web` or a folder in it.',
  ]);
});

it('in the root of a project', () => {
  assert.deepEqual(reasonsIn('claude-code', '.claude/skills/deploy/SKILL.md'), [
    'The client reads `.claude/skills` in the folder that it opens and in its parents.',
  ]);
});

it('in a plugin, which is not read from its folder', () => {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: 'file:///w/.claude-plugin/plugin.json', text: '{"name": "powers"}' });
  workspace.apply({ kind: 'text', uri: 'file:///w/skills/deploy/SKILL.md', text: TEXT });
  const file = workspace.analysis.file('file:///w/skills/deploy/SKILL.md') ?? assert.fail();
  const [row] = workspace.analysis.clientRows(file, [findClient('claude-code') ?? assert.fail()]);
  assert.equal(row?.found.outcome, 'unknown');
  assert.deepEqual(
    row.found.reasons.map(({ text }) => text),
    [
      'The skill is a part of the plugin `powers`. A client loads it with the plugin, if it supports and installs it, and not from this folder.',
    ],
  );
});
