/** `skill/agentTool`: what an agent of the editor asks of the skills in its window. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CATALOG, skill } from './cli.ts';
import { type Server, withServer } from './server.ts';

const FILES = {
  'skills.config.yaml': CATALOG,
  'skills/read.skill.md': skill('read', 'samples: {one: {request: Read it.}}'),
};

// biome-ignore lint/suspicious/noExplicitAny: replies are read as tests need them.
type Reply = any;

const ask = ({ connection, uri }: Server, tool: string, input: unknown): Promise<Reply> =>
  connection.sendRequest('skill/agentTool', { tool, input, folders: [uri('').replace(/\/$/, '')] });

it('an agent checks and composes a skill as it is in the buffer, and ranks skills', async () => {
  await withServer(FILES, async (server) => {
    const { open } = server;
    await open('skills/read.skill.md', FILES['skills/read.skill.md'].replace('Read the page', 'Read #tool:reed_page'));
    for (const input of [{ skill: 'read' }, { file: 'skills/read.skill.md' }]) {
      const { ok, file, findings } = await ask(server, 'check', input);
      assert.deepEqual([ok, file, findings[0].rule], [true, 'skills/read.skill.md', 'unknown-tool']);
      assert.equal(findings[0].fixes[0].title, 'Replace with `read_page`');
    }
    const composed = await ask(server, 'compose', { skill: 'read', text: skill('read') });
    assert.match(composed.composition.prompt, /^Read the page/m);
    const broken = await ask(server, 'compose', { skill: 'read' });
    assert.deepEqual([broken.ok, broken.reason, broken.errors[0].kind], [false, 'not-composed', 'UnknownTool']);
    const { matches } = await ask(server, 'match', { request: 'read a page of the world' });
    assert.deepEqual([matches[0].name, matches[0].file], ['read', 'skills/read.skill.md']);
  });
});

it('an agent checks a text that is in no file', async () => {
  await withServer(FILES, async (server) => {
    const text = skill('new', 'tools: [reed_page]');
    const { file, findings } = await ask(server, 'check', { text, file: 'skills/new.skill.md' });
    assert.deepEqual([file, findings.map(({ rule }: Reply) => rule)], ['skills/new.skill.md', ['unknown-tool']]);
    assert.equal((await ask(server, 'check', { skill: 'new' })).reason, 'no-such-skill');
  });
});

it('an agent that asks for what is not there is told so', async () => {
  await withServer(FILES, async (server) => {
    const refusals = [
      ['check', {}, 'invalid-argument'],
      ['check', null, 'invalid-argument'],
      ['check', { skill: 7 }, 'invalid-argument'],
      ['check', { file: '../x.md' }, 'no-such-skill'],
      ['compose', { skill: 'read', sample: 'two' }, 'no-such-sample'],
      ['match', { request: ' ' }, 'invalid-argument'],
    ] as const;
    for (const [tool, input, reason] of refusals) {
      const reply = await ask(server, tool, input);
      assert.deepEqual([reply.ok, reply.reason], [false, reason], JSON.stringify(input));
    }
  });
});
