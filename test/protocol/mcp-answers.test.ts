/** The responses of `mcp`: named and affected skills, and shortened lists. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { folderWith, skill } from './cli.ts';
import { agentIn } from './mcp.ts';
import { FILES, textIn } from './mcp-files.ts';

it('accepts a file instead of a name if a skill has no name, a shared name or errors', async () => {
  const nameless = skill('x').replace('name: x\n', '');
  const agent = await agentIn(
    folderWith({
      'skills/a/one.skill.md': skill('one'),
      'skills/b/one.skill.md': skill('one'),
      'skills/nameless.skill.md': nameless,
      'skills/latin.skill.md': Buffer.from('---\nname: caf\xe9\n---\n', 'latin1'),
    }),
  );
  const { reason, message } = await agent.call('get_skill', { skill: 'one' });
  assert.deepEqual(
    [reason, message],
    ['ambiguous-skill', 'Several files define the skill `one` (`1.0.0`). Select one by its file.'],
  );
  const renamed = await agent.call('update_skill', { skill: 'skills/b/one.skill.md', set: { name: 'two' } });
  assert.deepEqual([renamed.ok, renamed.skill, renamed.file], [true, 'two', 'skills/b/one.skill.md']);
  const given = { skill: 'skills/nameless.skill.md', set: { name: 'nameless' } };
  assert.deepEqual((await agent.call('update_skill', given)).findings, []);
  const [found] = (await agent.call('check_skill', { skill: 'skills/latin.skill.md' })).findings;
  assert.equal(found.rule, 'unreadable-file');
  const unread = await agent.call('get_skill', { skill: 'skills/latin.skill.md' });
  assert.deepEqual(
    [unread.reason, unread.message],
    ['unreadable', '`skills/latin.skill.md` cannot be read: it is not valid UTF-8.'],
  );
});

it('returns the tools that a `SKILL.md` may use without confirmation', async () => {
  const agent = await agentIn(
    folderWith({ 'agent/SKILL.md': '---\nname: agent\ndescription: Acts. Use it to act.\n---\n\nAct.\n' }),
  );
  const set = { 'allowed-tools': 'Bash(git:*), Read' };
  const { capabilities } = await agent.call('update_skill', { skill: 'agent', set });
  assert.deepEqual(capabilities.added, ['tool Bash(git:*)', 'tool Read']);
});

it('names the programs and modules of a skill and of its scripts, whose effects are not analysed', async () => {
  const agent = await agentIn(
    folderWith({
      'deploy/SKILL.md': '---\nname: deploy\ndescription: Deploys. Use it to deploy.\n---\n\nRun `scripts/go.sh`.\n',
      'deploy/scripts/go.sh': 'ls\nhelm upgrade x .\nkubectl delete namespace prod\n"$1"\n',
      'deploy/scripts/go.py': 'import numpy\n',
      'deploy/scripts/go.rb': 'puts 1\n',
    }),
  );
  const { programs, modules, unanalysed } = (await agent.call('get_skill', { skill: 'deploy' })).capabilities;
  assert.deepEqual([programs, modules, unanalysed], [['helm', 'kubectl'], ['numpy'], ['"$1"', 'scripts/go.rb']]);
  const { capabilities } = await agent.call('update_skill', { skill: 'deploy', framing: 'Run `terraform apply`.' });
  assert.deepEqual(capabilities.added, ['program terraform']);
});

it('replaces the title if a new framing begins with a title', async () => {
  const folder = folderWith(FILES);
  const agent = await agentIn(folder);
  const framing = '# Sketch a scene\n\nSketch it.';
  assert.ok((await agent.call('update_skill', { skill: 'outline-scene', framing })).ok);
  const text = textIn(folder, 'skills/outline-scene.skill.md');
  assert.equal(text.split(/^---\n/m)[2]?.split('## Approach')[0], `\n${framing}\n\n`);
  const made = { name: 'act', description: 'Acts out a scene. Use it on stage.', framing, template: 'agent-skill' };
  assert.match((await agent.call('create_skill', made)).diff, /^\+---\n\+\n\+# Sketch a scene\n\+\n\+Sketch it\.\n$/m);
});

it('names the skills that compose a renamed skill, and reports what the rename breaks', async () => {
  const agent = await agentIn(folderWith(FILES));
  const given = { skill: 'outline-scene', set: { name: 'plan-scene' } };
  const file = 'skills/write-scene.skill.md';
  const { message, composed_by } = await agent.call('update_skill', given);
  assert.match(message, /^`write-scene` composes `outline-scene`: .* `even_if_used: true`/);
  assert.deepEqual(composed_by, [{ name: 'write-scene', version: '1.0.0', file }]);
  const { ok, elsewhere } = await agent.call('update_skill', { ...given, even_if_used: true });
  assert.deepEqual([ok, elsewhere[0].file, elsewhere[0].rule], [true, file, 'skill-not-found']);
  const unused = { skill: 'write-scene', set: { name: 'draft-scene' }, allow_errors: true };
  const renamed = await agent.call('update_skill', unused);
  assert.ok(renamed.ok);
  assert.deepEqual(
    renamed.contract.changes.map(({ bump, path }: { bump: string; path: string }) => [bump, path]),
    [['major', 'name']],
  );
});

it('shortens long lists, with the most severe entries first', async () => {
  const tools = Array.from({ length: 70 }, (_, at) => `tool_${at}`);
  const users = Array.from({ length: 60 }, (_, at) => `user-${at}`);
  const agent = await agentIn(
    folderWith({
      ...FILES,
      ...Object.fromEntries(users.slice(0, 20).map((name) => [`copies/${name}/x.skill.md`, skill('copy')])),
      'skills/many.skill.md': `${skill('many')}\n${tools.map((tool) => `Ask #tool:${tool}.`).join('\n')}\n\n## Description: none\n`,
      ...Object.fromEntries(users.map((name) => [`skills/${name}.skill.md`, skill(name, 'composes: [outline-scene]')])),
    }),
  );
  const { findings, left_out, summary } = await agent.call('check_skill', { skill: 'many' });
  assert.deepEqual([findings.length, left_out, summary.errors, summary.hints > 0], [50, { findings: 21 }, 70, true]);
  assert.ok(findings.every((one: object) => !('docs' in one) && 'severity' in one && one.severity === 'error'));
  const used = await agent.call('delete_skill', { skill: 'outline-scene' });
  assert.deepEqual([used.reason, used.composed_by.length, used.left_out], ['used', 50, { composed_by: 11 }]);
  assert.match(used.message, /^(`[a-z0-9-]+`, ){5}`[a-z0-9-]+` and 55 more compose `outline-scene`: /);
  assert.deepEqual(Object.keys((await agent.call('check_skill')).left_out), ['findings']);
  const [copied] = (await agent.call('check_skill', { skill: 'copies/user-0/x.skill.md' })).findings;
  assert.deepEqual([copied.rule, copied.related.length], ['duplicate-skill', 10]);
  const set = { input_schema: { place: 'string', mood: 'string' } };
  const { elsewhere, notChecked } = await agent.call('update_skill', { skill: 'outline-scene', set });
  assert.deepEqual([elsewhere.length > 0, notChecked], [true, 31]);
});

it('reports how many of the errors that prevent a write existed before', async () => {
  const agent = await agentIn(folderWith({ ...FILES, 'skills/one.skill.md': skill('one', 'tools: [reed_page]') }));
  const messageOf = async (set: object): Promise<string> =>
    (await agent.call('update_skill', { skill: 'one', set })).message;
  assert.match(await messageOf({ tags: ['x'] }), /would have an error, which it already has\. Fix/);
  assert.match(await messageOf({ version: 'two' }), /would have 2 errors, 1 of which it already has\. Fix/);
  assert.match(await messageOf({ tools: [], version: 'two' }), /would have an error\. Fix/);
});
