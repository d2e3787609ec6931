/** `mcp`: the authoring server, over standard input and output. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { CLI, folderWith, run, skill, write } from './cli.ts';
import { agentIn, ERAS } from './mcp.ts';
import { FILES, OUTLINE, READERS, textIn, WRITERS } from './mcp-files.ts';

for (const era of ERAS) {
  describe(`the authoring server, to a client of ${era}`, () => {
    it('lists its tools with correct annotations and schemas', async () => {
      const agent = await agentIn(folderWith(FILES), { era });
      const { tools } = await agent.client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        [...READERS, ...WRITERS],
      );
      for (const { name, annotations, inputSchema, outputSchema } of tools) {
        assert.equal(annotations?.readOnlyHint, READERS.includes(name), name);
        assert.equal(annotations?.openWorldHint, false);
        assert.deepEqual([inputSchema.type, outputSchema?.type], ['object', 'object']);
      }
      const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
      assert.deepEqual(destructive, [
        ...['update_skill', 'update_artifact', 'remove_artifact'],
        ...['delete_skill', 'apply_fix'],
      ]);
    });

    it('runs each reading tool', async () => {
      const agent = await agentIn(folderWith(FILES), { era });
      const listed = await agent.call('list_skills', { tags: ['scenes'] });
      assert.deepEqual(
        listed.skills.map((one: { name: string; file: string }) => [one.name, one.file]),
        [['outline-scene', 'skills/outline-scene.skill.md']],
      );
      const got = await agent.call('get_skill', { skill: 'outline-scene', artifacts: ['Example'] });
      assert.equal(got.framing.text, 'Outline the scene in five beats.');
      assert.deepEqual(
        got.artifacts.map((one: { kind: string; content?: string }) => [one.kind, one.content !== undefined]),
        [
          ['Approach', false],
          ['Example', true],
        ],
      );
      assert.deepEqual([got.composed_by[0].name, got.capabilities.tools], ['write-scene', ['read_page']]);
      assert.match(got.digest, /^sha256:[0-9a-f]{64}$/);
      const checked = await agent.call('check_skill', { text: '---\nname: x\n---\n', file: 'skills/x.skill.md' });
      assert.ok(checked.summary.errors > 0);
      assert.ok((await agent.call('check_skill')).files >= 2);
      const composed = await agent.call('compose_skill', { skill: 'outline-scene' });
      assert.deepEqual([composed.ok, composed.sample], [true, 'gate']);
      assert.match(composed.composition.prompt, /five beats/);
      const given = { source: 'scheduled', channel: 'north', thread_id: 't-1', model: 'big' };
      const { composition } = await agent.call('compose_skill', { skill: 'outline-scene', ...given });
      const { invocationSource, channelId, threadId } = composition.invocationRecord;
      assert.deepEqual([invocationSource, channelId, threadId], ['scheduled', 'north', 't-1']);
      const remembering = await agent.call('compose_skill', {
        text: REMEMBERING,
        file: 'skills/remember.skill.md',
        memory: [{ id: 'm', tier: 'thread', text: 'It rains.' }],
        model: 'big',
      });
      assert.equal(remembering.composition.prompt, 'It rains. big');
      assert.deepEqual(remembering.composition.memoryDependencies, ['m']);
      const matched = await agent.call('match_skill', { request: 'outline this scene', top: 1 });
      assert.equal(matched.matches[0].name, 'outline-scene');
      const tested = await agent.call('test_skill', { skill: 'outline-scene' });
      assert.deepEqual([tested.summary.failed, tested.summary.passed > 0], [0, true]);
    });

    it('runs each writing tool, and writes the text that the response contains', async () => {
      const folder = folderWith(FILES);
      const agent = await agentIn(folder, { era });
      const file = 'skills/outline-scene.skill.md';
      const set = await agent.call('update_skill', {
        skill: 'outline-scene',
        set: { description: 'Outlines one scene in beats. Use it before drafting.', version: '1.2.1' },
        framing: 'Outline the scene in six beats.',
      });
      assert.ok(set.ok, JSON.stringify(set));
      const wanted = OUTLINE.replace('a scene beat by beat', 'one scene in beats')
        .replace('1.2.0', '1.2.1')
        .replace('five', 'six');
      assert.equal(textIn(folder, file), wanted);
      assert.deepEqual(set.written, [file]);
      const added = await agent.call('add_artifact', {
        ...{ skill: 'outline-scene', kind: 'Description', name: 'grim scenes' },
        ...{ content: 'Deaths happen between sentences.', metadata: { include_when: 'place == "gate"' } },
      });
      assert.match(added.diff, /\+## Description: grim scenes/);
      const grim = { skill: 'outline-scene', kind: 'Description', name: 'grim scenes' };
      const changed = await agent.call('update_artifact', {
        ...grim,
        content: 'Nobody dies.',
        unset: ['include_when'],
      });
      assert.match(changed.diff, /^-include_when/m);
      assert.ok((await agent.call('remove_artifact', grim)).ok);
      assert.equal(textIn(folder, file), wanted);
      const created = await agent.call('create_skill', {
        ...{ name: 'name-places', description: 'Names places on a map. Use it for a new map.' },
        framing: 'Name each place in two words.',
      });
      assert.deepEqual([created.ok, created.file], [true, 'skills/name-places.skill.md']);
      assert.deepEqual((await agent.call('delete_skill', { skill: 'name-places' })).deleted, [created.file]);
      assert.ok(!existsSync(join(folder, created.file)));
    });

    it('asks for confirmation before it deletes a skill, if the client can ask the user', async () => {
      const folder = folderWith(FILES);
      const questions: string[] = [];
      const says = (question: string) => (questions.push(question) > 1 ? 'accept' : 'decline');
      const agent = await agentIn(folder, { era, says });
      assert.equal((await agent.call('delete_skill', { skill: 'write-scene' })).reason, 'declined');
      assert.ok(existsSync(join(folder, 'skills/write-scene.skill.md')));
      assert.ok((await agent.call('delete_skill', { skill: 'write-scene' })).ok);
      assert.ok(!existsSync(join(folder, 'skills/write-scene.skill.md')));
      assert.match(questions[0] ?? '', /Delete the skill `write-scene`/);
    });

    it('asks on one line, whatever the name of the skill is', async () => {
      const name = 'a\n\nNothing is deleted.\u202e';
      const text = `---\nname: ${JSON.stringify(name)}\ndescription: A.\nlevel: 1\n---\n\nRead it.\n`;
      const questions: string[] = [];
      const says = (question: string) => (questions.push(question) > 0 ? 'decline' : 'accept');
      const agent = await agentIn(folderWith({ 'a.skill.md': text }), { era, says });
      await agent.call('delete_skill', { skill: name });
      assert.deepEqual(questions, ['Delete the skill `a␊␊Nothing is deleted.\\u202e` (a.skill.md)?']);
    });
  });
}

const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });

const variantOf = (model: string): string =>
  `\n## PromptTemplate: a\n\`\`\`yaml artifact\nmodel_variant: ${model}\n\`\`\`\n\nSay it.\n`;

const REMEMBERING = `---
name: remember
description: Says what it remembers.
version: 1.0.0
input_schema: {}
framing: main
---

## PromptTemplate: main

{{ memory[0].text }} {{ model }}
`;

describe('a refusal by the authoring server', () => {
  const refusals: readonly (readonly [string, string, Record<string, unknown>])[] = [
    ['exists', 'create_skill', { name: 'outline-scene', description: 'Again.' }],
    ['exists', 'create_skill', { name: 'renamed', description: 'Again.' }],
    ['exists', 'update_skill', { skill: 'write-scene', set: { name: 'outline-scene' } }],
    ['no-such-skill', 'get_skill', { skill: 'outline-scenes' }],
    ['no-such-skill', 'update_skill', { skill: 'outline-scene', version: '9.0.0', set: {} }],
    ['unknown-kind', 'add_artifact', { skill: 'outline-scene', kind: 'Recipe', content: 'x' }],
    ['unknown-kind', 'get_skill', { skill: 'outline-scene', artifacts: ['Recipe'] }],
    ['duplicate-artifact', 'add_artifact', { skill: 'outline-scene', kind: 'example', name: 'the gate', content: 'x' }],
    ['no-such-artifact', 'remove_artifact', { skill: 'outline-scene', kind: 'Example', name: 'a wall' }],
    ['reserved-source', 'update_skill', { skill: 'outline-scene', set: { source: 'marketplace' } }],
    ['invalid', 'update_skill', { skill: 'outline-scene', set: { tools: ['reed_page'] } }],
    ['invalid', 'remove_artifact', { skill: 'template-only', kind: 'PromptTemplate' }],
    ['invalid-content', 'update_skill', { skill: 'outline-scene', framing: 'Do it.\n\n## Example: odd\n' }],
    ['invalid-content', 'add_artifact', { skill: 'outline-scene', kind: 'Description', content: 'x\n\n## y' }],
    [
      'invalid-content',
      'add_artifact',
      { skill: 'outline-scene', kind: 'Description', content: { input: 1, output: 2 } },
    ],
    [
      'invalid-content',
      'update_artifact',
      { skill: 'outline-scene', kind: 'Approach', content: { input: 1, output: 2 } },
    ],
    ['invalid-content', 'update_skill', { skill: 'outline-scene', set: { description: 'too long '.repeat(200_000) } }],
    [
      'invalid-content',
      'update_artifact',
      { skill: 'outline-scene', kind: 'Example', name: 'the gate', set: { note: 'too long '.repeat(200_000) } },
    ],
    ['used', 'delete_skill', { skill: 'outline-scene' }],
    ['used', 'update_skill', { skill: 'outline-scene', set: { name: 'plan-scene' } }],
    ['used', 'update_skill', { skill: 'outline-scene', unset: ['name'], allow_errors: true }],
    [
      'used',
      'apply_fix',
      { skill: 'name-other-places', rule: 'name-file-mismatch', title: 'Rename the skill to `renamed`' },
    ],
    ['exists', 'apply_fix', { skill: 'lacking', rule: 'skill-not-found', title: 'Create `renamed`' }],
    ['no-such-fix', 'apply_fix', { skill: 'outline-scene', rule: 'unknown-tool', title: 'Fix' }],
    ['no-such-sample', 'compose_skill', { skill: 'outline-scene', sample: 'wall' }],
    ['not-composed', 'compose_skill', { skill: 'outline-scene', parameters: {} }],
    ['invalid-argument', 'compose_skill', { skill: 'outline-scene', profile: 'host' }],
    ['invalid-argument', 'compose_skill', {}],
    ['invalid-argument', 'list_skills', { cursor: 'x' }],
    ['invalid-argument', 'list_skills', { tagz: ['x'] }],
    ['invalid-argument', 'update_skill', { skill: 7 }],
    ['invalid-argument', 'update_skill', { skill: 'outline-scene' }],
    ['invalid-argument', 'update_skill', { skill: 'outline-scene', set: { 'x-deep': nested(101) } }],
    ['invalid-argument', 'update_artifact', { skill: 'outline-scene', kind: 'Approach' }],
    ['invalid-argument', 'check_skill', { file: 'skills/x.skill.md' }],
    ['invalid-argument', 'check_skill', { text: '---\nname: x\n---\n', file: 'skills/x.md' }],
    ['invalid-argument', 'create_skill', { name: 'Big Name', description: 'x' }],
    ['invalid-argument', 'create_skill', { name: 'x', description: 'x', metadata: { name: 'y' } }],
    ['invalid-argument', 'create_skill', { name: 'x', description: 'x', template: 'novel' }],
    ['invalid-argument', 'create_skill', { name: 'x', description: 'x', where: 'node_modules/x' }],
    [
      'invalid-argument',
      'create_skill',
      { name: 'x', description: 'x', template: 'agent-skill', framing: 'x', tools: ['Read', { name: 'y' }] },
    ],
    ['write-failed', 'create_skill', { name: 'x', description: 'x', framing: 'x', where: 'skills/broken.skill.md' }],
    ['no-account', 'create_skill', { name: 'x', description: 'x', where: 'account' }],
    ['outside-root', 'create_skill', { name: 'x', description: 'x', where: '../x' }],
    ['outside-root', 'check_skill', { text: 'x', file: '../x.skill.md' }],
    ['changed', 'update_skill', { skill: 'outline-scene', digest: 'sha256:0', set: { tags: [] } }],
    ['changed', 'delete_skill', { skill: 'write-scene', digest: 'sha256:0' }],
    ['not-editable', 'update_skill', { skill: 'broken', set: { tags: [] } }],
    ['not-editable', 'add_artifact', { skill: 'agent', kind: 'Example', content: 'x' }],
  ];
  const template = `---\nname: template-only\ndescription: Says it. Use it to say it.\nversion: 1.0.0\n---\n\n## PromptTemplate\n\nSay it.\n`;
  const files = {
    ...FILES,
    'skills/template-only.skill.md': template,
    'skills/renamed.skill.md': skill('name-other-places'),
    'skills/tour.skill.md': skill('tour', 'level: 2', 'output_schema: {}', 'composes: [name-other-places]'),
    'skills/broken.skill.md': '---\nname: broken\ndescription: "Never ends.\n---\n\nDo it.\n',
    'skills/lacking.skill.md': skill('lacking', 'level: 2', 'output_schema: {}', 'composes: [renamed]'),
    'skills/variants.skill.md': `${skill('variants')}${['big', 'huge'].map(variantOf).join('')}`,
    'agent/SKILL.md': '---\nname: agent\ndescription: Acts. Use it to act.\n---\n\nAct.\n',
  };
  for (const [reason, tool, given] of refusals) {
    it(`gives the reason ${reason}: ${tool} ${JSON.stringify(given).slice(0, 120)}`, async () => {
      const { agent, folder } = await shared();
      const answer = await agent.call(tool, given);
      assert.equal(answer.reason, reason, JSON.stringify(answer));
      for (const [file, text] of Object.entries(files)) assert.equal(textIn(folder, file), text);
    });
  }
  it('reports a missing or invalid argument once', async () => {
    const { agent } = await shared();
    const messageOf = async (given: object): Promise<string> =>
      (await agent.call('update_skill', given as Record<string, unknown>)).message;
    assert.equal(await messageOf({}), 'Missing required field `skill` (string). Add it.');
    assert.match(await messageOf({ skill: 'agent', name: 'x' }), /^Unknown field `name`\. /);
    assert.match(await messageOf({ skill: 'agent', unset: ['x', 1] }), /^`unset\.1`: Expected a string/);
  });
  it('lists the artifacts and variants if the named artifact does not exist', async () => {
    const { agent } = await shared();
    const messageOf = async (name: string, model_variant?: string): Promise<string> => {
      const given = { skill: 'variants', kind: 'PromptTemplate', name, ...(model_variant && { model_variant }) };
      return (await agent.call('remove_artifact', given)).message;
    };
    assert.equal(await messageOf('b'), 'The skill has no PromptTemplate `b`. It has `a`.');
    assert.equal(
      await messageOf('a', 'small'),
      'The skill has no PromptTemplate `a` with the `model_variant` `small`. It has one with the `model_variant` `big` and with the `model_variant` `huge`.',
    );
  });
  it('reports overlapping skills for create_skill', async () => {
    const { agent } = await shared();
    const description = 'Outlines a scene beat by beat. Use it before drafting.';
    const answer = await agent.call('create_skill', { name: 'plan-scene', description, tools: ['reed_page'] });
    assert.deepEqual([answer.reason, answer.overlaps[0].name], ['invalid', 'outline-scene']);
  });
  let opened: Promise<{ agent: Awaited<ReturnType<typeof agentIn>>; folder: string }> | undefined;
  const shared = () => {
    opened ??= (async () => {
      const folder = folderWith(files);
      return { folder, agent: await agentIn(folder) };
    })();
    return opened;
  };
});

it('the protocol is bundled in a separate script, which other commands do not load', () => {
  for (const script of [CLI, join(dirname(CLI), 'core.js')]) {
    assert.ok(!readFileSync(script, 'utf8').includes('modelcontextprotocol.io'), script);
  }
  assert.ok(statSync(CLI).size < 300_000, 'the script that every command loads is small');
  const server = readFileSync(join(dirname(CLI), 'mcp.cjs'), 'utf8');
  assert.ok(!server.includes('ampcode.com'), 'the server answers before the facts about clients are loaded');
});

it('lists an installed skill as imported, whatever its file says', async () => {
  const text = (name: string, source: string) =>
    `---\nname: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\n${source}input_schema: {}\n---\n\nDo it.\n`;
  const folder = folderWith({
    'from/skills/theirs.skill.md': text('theirs', 'source: system\n'),
    'from/skills/plain.skill.md': text('plain', ''),
    'to/skills/own.skill.md': text('own', ''),
    'to/skills/system.skill.md': text('system', 'source: system\n'),
  });
  const to = join(folder, 'to');
  const installed = await run(to, ['install', '../from', '--yes']);
  assert.equal(installed.status, 0, installed.stderr);
  const agent = await agentIn(to);
  const listed = async (filter: Record<string, unknown>) =>
    (await agent.call('list_skills', filter)).skills.map(({ name, source }: { name: string; source: string }) => [
      name,
      source,
    ]);
  assert.deepEqual(await listed({ source: 'imported' }), [
    ['plain', 'imported'],
    ['theirs', 'imported'],
  ]);
  assert.deepEqual(await listed({ source: 'system' }), [['system', 'system']]);
  assert.deepEqual(await listed({ source: 'user' }), [['own', 'user']]);
  assert.equal((await agent.call('get_skill', { skill: 'theirs' })).source, 'imported');
  write(to, 'skills.lock.json', '{');
  assert.equal((await listed({})).length, 4);
  const refused = await agent.call('list_skills', { source: 'imported' });
  assert.deepEqual([refused.ok, refused.reason], [false, 'unreadable']);
  assert.match(refused.message, /`skills\.lock\.json` is invalid/);
});
