/** The requests with which an editor lists the clients and saves the chosen ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DidChangeConfigurationNotification } from 'vscode-languageserver';
import {
  type ClientChoiceReply,
  ClientChoiceRequest,
  type SetClientsReply,
  SetClientsRequest,
} from '../../server/src/protocol.ts';
import { type Server, withServer } from './server.ts';

const skill = (name: string): string => `---\nname: ${name}\ndescription: Handles ${name}.\n---\n`;
const FILES = { '.claude/skills/a/SKILL.md': skill('a'), '.agents/skills/b/SKILL.md': skill('b') };

const choice = ({ connection }: Server, uri: string) =>
  connection.sendRequest<ClientChoiceReply>(ClientChoiceRequest.method, { uri });
const set = ({ connection }: Server, uri: string, ...clients: string[]) =>
  connection.sendRequest<SetClientsReply>(SetClientsRequest.method, { uri, clients });

test('the candidates of a workspace folder, with and without a slash, and of a file', async () => {
  await withServer(FILES, async (server) => {
    const folder = server.uri('').replace(/\/$/, '');
    const found = await choice(server, folder);
    assert.deepEqual(await choice(server, `${folder}/`), found);
    assert.deepEqual(await choice(server, server.uri('.agents/skills/b/SKILL.md')), found);
    const codex = found.candidates.find(({ id }) => id === 'codex');
    assert.deepEqual(codex?.folders, [{ path: '.agents/skills', skills: 1 }]);
    assert.equal(found.candidates[0]?.id, 'claude-code');
    assert.deepEqual([found.chosen, found.automatic, found.catalog], [[], ['Claude Code'], null]);
  });
});

test('a framework has the folder that a program of the workspace names', async () => {
  const program = {
    'app/package.json': '{"dependencies": {"@google/adk": "2.0.0"}}',
    'app/src/agent.ts': "import { loadAllSkillsInDir } from '@google/adk';\nloadAllSkillsInDir('./skills');\n",
  };
  await withServer({ ...FILES, ...program }, async (server) => {
    const { candidates } = await choice(server, server.uri(''));
    const adk = candidates.find(({ id }) => id === 'google-adk')?.framework;
    assert.equal(adk?.isUsed, true);
    assert.deepEqual(adk?.named, [{ folder: 'skills', file: 'app/src/agent.ts', line: 2 }]);
  });
});

test('a choice is an edit of the catalog, also with unsaved text', async () => {
  await withServer({ ...FILES, 'skills.config.yaml': 'tools: []\n' }, async (server) => {
    const uri = server.uri('skills.config.yaml');
    const at = (line: number, character: number) => ({ line, character });
    const add = (end: ReturnType<typeof at>) => ({
      catalog: { uri, edits: [{ range: { start: end, end }, newText: 'agent_skills: {clients: [codex]}\n' }] },
      settings: null,
    });
    const file = server.uri('.agents/skills/b/SKILL.md');
    assert.deepEqual(await set(server, file, 'codex', 'codex'), add(at(1, 0)));
    await server.open('skills.config.yaml', 'tools: []\nrules: {}\n');
    assert.deepEqual(await set(server, file, 'codex'), add(at(2, 0)));
    assert.deepEqual(await set(server, file), { catalog: null, settings: null });
  });
});

test('a choice without a catalog is a setting', async () => {
  await withServer(FILES, async (server) => {
    const folder = server.uri('');
    assert.deepEqual(await set(server, folder, 'codex'), { catalog: null, settings: ['codex'] });
    assert.deepEqual(await set(server, folder), { catalog: null, settings: null });
    await server.connection.sendNotification(DidChangeConfigurationNotification.method, {
      settings: { skillComposer: { agentSkills: { clients: ['codex'] } } },
    });
    assert.deepEqual((await choice(server, folder)).chosen, ['codex']);
    assert.deepEqual(await set(server, folder), { catalog: null, settings: [] });
  });
});

test('an unknown client is refused with the nearest name', async () => {
  await withServer(FILES, async (server) => {
    await assert.rejects(set(server, server.uri(''), 'codx'), /Unknown client `codx`\. Did you mean `codex`\?/);
  });
});
