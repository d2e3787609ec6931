/** `skill/clients`: the matrix of one `SKILL.md`, and the setting that names the target clients. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientsReply } from '../../server/src/protocol.ts';
import { type Server, withServer } from './server.ts';

const skill = (...lines: readonly string[]): string => ['---', ...lines, '---', '', 'Merge notes.', ''].join('\n');

const PATH = '.agents/skills/tidy-notes/SKILL.md';
const LONG = 'a'.repeat(1100);
const files = {
  [PATH]: skill('name: tidy-notes', `description: ${LONG}`, 'mood: good'),
  'plain.skill.md': skill('name: plain'),
  'skills.config.yaml': 'agent_skills: {clients: [codex, goose], context_tokens: 200000}\n',
};

const clients = ({ connection, uri }: Server, path: string) =>
  connection.sendRequest<ClientsReply | null>('skill/clients', { uri: uri(path) });

test('the matrix has all clients, says which are targets, and where each reason stands', async () => {
  await withServer(files, async (server) => {
    const reply = await clients(server, PATH);
    assert.ok(reply);
    assert.deepEqual([reply.clients.length, reply.isChosen], [24, true]);
    assert.deepEqual(
      reply.clients.filter(({ isTarget }) => isTarget).map(({ id }) => id),
      ['codex', 'goose'],
    );
    const codex = reply.clients.find(({ id }) => id === 'codex');
    assert.equal(codex?.cells.cut.outcome, 'yes');
    const [reason] = codex?.cells.cut.reasons ?? [];
    assert.deepEqual(reason?.place?.range.start, { line: 2, character: 13 });
    assert.match(reason?.source ?? '', /openai\/codex/);
    const [ignored] = codex?.cells.ignored.reasons ?? [];
    assert.deepEqual(ignored?.place?.range, { start: { line: 3, character: 0 }, end: { line: 3, character: 4 } });
  });
});

test('the line of the list is cut where the client cuts it, with what is hidden of the file', async () => {
  await withServer(files, async (server) => {
    const reply = await clients(server, PATH);
    const codex = reply?.clients.find(({ id }) => id === 'codex');
    assert.equal(codex?.line?.text, `- tidy-notes: ${'a'.repeat(1024)}… (file: SKILL.md)`);
    assert.deepEqual(codex?.line?.hidden?.range, {
      start: { line: 2, character: 13 + 1024 },
      end: { line: 2, character: 13 + 1100 },
    });
    assert.deepEqual([codex?.budget?.limit, codex?.budget?.unit, codex?.budget?.fate], [4000, 'tokens', 'whole']);
    const goose = reply?.clients.find(({ id }) => id === 'goose');
    assert.deepEqual(
      [goose?.line?.text, goose?.line?.hidden, goose?.budget],
      [`• tidy-notes - ${LONG}`, undefined, undefined],
    );
  });
});

test('a file that is no SKILL.md has no matrix', async () => {
  await withServer(files, async (server) => {
    assert.equal(await clients(server, 'plain.skill.md'), null);
    assert.equal(await clients(server, 'nowhere/SKILL.md'), null);
  });
});

test('the matrix follows the buffer', async () => {
  await withServer(files, async (server) => {
    await server.open(PATH, skill('name: tidy-notes', 'description: Short.'));
    const reply = await clients(server, PATH);
    assert.equal(reply?.clients.find(({ id }) => id === 'codex')?.cells.cut.outcome, 'no');
  });
});

test('the setting goes before the catalog', async () => {
  const initializationOptions = { agentSkills: { clients: ['zed', 'roo-code'] } };
  await withServer(
    files,
    async (server) => {
      const all = await server.published(PATH, (found) =>
        found.some(({ message }) => String(message).includes('Roo Code')),
      );
      assert.ok(
        all.some(
          ({ code, message }) =>
            code === 'agent-skill-description' && /Roo Code does not load this skill\.$/.test(String(message)),
        ),
      );
      const reply = await clients(server, PATH);
      assert.deepEqual(
        reply?.clients.filter(({ isTarget }) => isTarget).map(({ id }) => id),
        ['zed', 'roo-code'],
      );
    },
    { initializationOptions },
  );
});
