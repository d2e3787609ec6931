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

/** The reasons for which clients find a skill in a plugin, or do not, with the outcome. */
function inPlugin(id: string, files: Readonly<Record<string, string>>, path: string): readonly string[] {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  for (const [one, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///w/${one}`, text });
  const file = workspace.analysis.file(`file:///w/${path}`) ?? assert.fail();
  const [row] = workspace.analysis.clientRows(file, [findClient(id) ?? assert.fail()]);
  return [row?.found.outcome ?? '', ...(row?.found.reasons ?? []).map(({ text }) => text)];
}

it('in a plugin, which is not read from its folder', () => {
  const path = 'skills/deploy/SKILL.md';
  const files = { '.claude-plugin/plugin.json': '{"name": "powers"}', [path]: TEXT };
  assert.deepEqual(inPlugin('claude-code', files, path), [
    'yes',
    'The client loads it with the plugin `powers`, after the plugin is installed with `/plugin install` or `--plugin-dir`.',
  ]);
  // It is not known how Cursor loads plugins, and Gemini CLI does not know this manifest.
  for (const id of ['cursor', 'gemini-cli']) {
    assert.deepEqual(inPlugin(id, files, path), [
      'unknown',
      'The skill is a part of the plugin `powers`. A client loads it with the plugin, if it supports and installs it, and not from this folder.',
    ]);
  }
});

it('in a plugin below `.claude/skills`', () => {
  const path = '.claude/skills/pa/skills/deploy/SKILL.md';
  const files = { '.claude/skills/pa/.claude-plugin/plugin.json': '{"name": "powers"}', [path]: TEXT };
  assert.deepEqual(inPlugin('claude-code', files, path), [
    'yes',
    'The client loads it with the plugin `powers` from this folder, if the user trusts the folder of the project, or if it is in the home.',
  ]);
});

it('in a plugin that loses it', () => {
  const manifest = (json: string) => ({ 'p/.claude-plugin/plugin.json': json, 'p/skills/deploy/SKILL.md': TEXT });
  const reason = (json: string, more: Readonly<Record<string, string>> = {}, path = 'p/skills/deploy/SKILL.md') =>
    inPlugin('claude-code', { ...manifest(json), ...more }, path).join(': ');
  assert.equal(
    reason('{"name": "p", "skills": "extra"}'),
    'no: The client does not load the plugin in `p`: each path in `skills` must begin with `./`.',
  );
  assert.equal(
    reason('{"name": "a/b"}'),
    'no: The client does not load the plugin in `p`: `name` has a form that is not accepted.',
  );
  assert.equal(
    reason('{"version": "1.0.0"}'),
    'no: The client does not load the plugin in `p`: `name` is missing in its manifest, or is no text.',
  );
  assert.deepEqual(
    inPlugin(
      'gemini-cli',
      { 'p/gemini-extension.json': '{"name": "p"}', 'p/skills/deploy/SKILL.md': TEXT },
      'p/skills/deploy/SKILL.md',
    ),
    ['no', 'The client does not load the extension in `p`: `version` is missing in its manifest, or is no text.'],
  );
  assert.equal(
    reason('{"name": "p",}'),
    'no: The client does not load the plugin in `p`, because its manifest is not valid JSON.',
  );
  assert.equal(
    reason('{"name": "p"}', { 'p/skills/SKILL.md': TEXT }),
    'no: `skills/SKILL.md` hides the other skills in its folder.',
  );
  assert.equal(
    reason('{"name": "p"}', { 'p/commands/deploy.md': '---\ndescription: Deploys.\n---\nDeploy.' }),
    'no: `commands/deploy.md` has the same name, and the client uses the command of a plugin instead of its skill.',
  );
  assert.equal(
    reason('{"name": "p"}', { 'p/SKILL.md': TEXT }, 'p/SKILL.md'),
    'no: A `SKILL.md` in the root of a plugin is loaded only without a folder `skills`, or if the key `skills` names `./`.',
  );
  assert.equal(
    reason('{"name": "p"}', { 'p/skills/a/b/SKILL.md': TEXT }, 'p/skills/a/b/SKILL.md'),
    'no: Only the folders directly in `skills` are skills of the plugin.',
  );
  assert.equal(
    reason('{"name": "p"}', { 'p/Skills/a/SKILL.md': TEXT }, 'p/Skills/a/SKILL.md'),
    'no: The plugin does not ship `Skills/a`: its manifest does not name this folder.',
  );
});

it('with the commands by which people call a skill of a plugin', () => {
  const path = 'skills/x/SKILL.md';
  const files = {
    '.claude-plugin/plugin.json': '{"name": "n07"}',
    [path]: skillText('name: y', 'description: Does it.'),
  };
  const workspace = new Workspace();
  for (const [one, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///w/${one}`, text });
  const file = workspace.analysis.file(`file:///w/${path}`) ?? assert.fail();
  const calls = (id: string) =>
    workspace.analysis.clientRows(file, [findClient(id) ?? assert.fail()])[0]?.chosen.reasons[0]?.text ?? '';
  assert.match(calls('claude-code'), /^People can call the skill with `\/n07:x` or `\/n07:y` or `\/y`/);
  assert.match(calls('codex'), /^People can call the skill with `\$n07:y`/);
  assert.match(calls('copilot-cli'), /^People can call the skill by its name/);
});
