/** `skill/agentTool`: the requests of an agent in the editor about the skills of its window. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CATALOG, skill } from './cli.ts';
import { type Server, withServer } from './server.ts';

const FILES = {
  'skills.config.yaml': CATALOG,
  'skills/read.skill.md': skill('read', 'samples: {one: {request: Read it.}}'),
};

// biome-ignore lint/suspicious/noExplicitAny: the tests read replies of different shapes.
type Reply = any;

const ask = ({ connection, uri }: Server, tool: string, input: unknown): Promise<Reply> =>
  connection.sendRequest('skill/agentTool', { tool, input, folders: [uri('').replace(/\/$/, '')] });

it('an agent checks and composes the text of the buffer, and ranks skills', async () => {
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

it('an agent checks text without a file', async () => {
  await withServer(FILES, async (server) => {
    const text = skill('new', 'tools: [reed_page]');
    const { file, findings } = await ask(server, 'check', { text, file: 'skills/new.skill.md' });
    assert.deepEqual([file, findings.map(({ rule }: Reply) => rule)], ['skills/new.skill.md', ['unknown-tool']]);
    assert.equal((await ask(server, 'check', { skill: 'new' })).reason, 'no-such-skill');
  });
});

it('returns an error if an agent requests something that does not exist', async () => {
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
