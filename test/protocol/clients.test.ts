/** `skill/clients`: the matrix of one `SKILL.md`, and the setting that names the target clients. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { clients as CLIENTS } from '../../server/src/clients/facts/clients.ts';
import {
  type ChosenReply,
  type ClientsReply,
  ComposableChangedNotification,
  type ComposeReply,
} from '../../server/src/protocol.ts';
import { type Server, withServer } from './server.ts';
import { until } from './until.ts';

const windows = process.platform === 'win32';

const skill = (...lines: readonly string[]): string => ['---', ...lines, '---', '', 'Merge notes.', ''].join('\n');

const PATH = '.agents/skills/tidy-notes/SKILL.md';
const LONG = 'a'.repeat(1100);
const files = {
  [PATH]: skill('name: tidy-notes', `description: ${LONG}`, 'mood: good'),
  'plain.skill.md': skill('name: plain'),
  'skills.config.yaml': 'agent_skills: {clients: [codex, goose], model: 200000}\n',
};

const clients = ({ connection, uri }: Server, path: string) =>
  connection.sendRequest<ClientsReply | null>('skill/clients', { uri: uri(path) });

test('the matrix lists all clients, marks the targets, and contains the location of each reason', async () => {
  await withServer(files, async (server) => {
    const reply = await clients(server, PATH);
    assert.ok(reply);
    assert.deepEqual([reply.clients.length, reply.isChosen], [CLIENTS.length, true]);
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

test('the entry in the list is truncated as in the client, with the range of the hidden text', async () => {
  await withServer(files, async (server) => {
    const reply = await clients(server, PATH);
    const codex = reply?.clients.find(({ id }) => id === 'codex');
    assert.equal(codex?.line?.text, `- tidy-notes: ${'a'.repeat(1021)}... (file: r1/tidy-notes/SKILL.md)`);
    assert.deepEqual(codex?.line?.hidden?.range, {
      start: { line: 2, character: 13 + 1021 },
      end: { line: 2, character: 13 + 1100 },
    });
    assert.deepEqual(
      [codex?.budget?.limit, codex?.budget?.unit, codex?.budget?.entryOutcome],
      [4000 - 432, 'tokens', 'whole'],
    );
    const goose = reply?.clients.find(({ id }) => id === 'goose');
    assert.deepEqual(
      [goose?.line?.text, goose?.line?.hidden, goose?.budget],
      [`• tidy-notes - ${LONG}`, undefined, undefined],
    );
  });
});

test('counts linked files in the folder of the skill, and reads no linked file outside of that folder', async () => {
  const folder = '.agents/skills/tidy-notes';
  const body = '[a](references/a.md) [again](references/a.md#part) [no](references/no.md) [out](../../../secret.md)';
  const skillFile = `${skill('name: tidy-notes', 'description: Tidies.')}\n${body}\n`;
  const all = {
    [PATH]: skillFile,
    [`${folder}/references/a.md`]: 'One two three.\n',
    'secret.md': 'Not for counting.\n',
  };
  await withServer(all, async (server) => {
    // The finding shows that the server has looked for the missing file.
    await server.published(PATH, (found) => found.some(({ code }) => code === 'broken-link'));
    const reply = await clients(server, PATH);
    assert.deepEqual(
      reply?.files.map(({ path, isThere, tokens }) => ({ path, isThere, tokens })),
      [
        { path: 'references/a.md', isThere: true, tokens: 4 },
        { path: 'references/no.md', isThere: false, tokens: undefined },
        { path: '../../../secret.md', isThere: true, tokens: undefined },
      ],
    );
    assert.equal(reply.files[1]?.link.range.start.line, 7);
    assert.equal(reply.moreFiles, 0);
  });
});

test('composes a call with arguments as the client does, with the locations in the file', async () => {
  const text = skill('name: tidy-notes', 'description: Tidies.', 'arguments: person day').replace(
    'notes.',
    '$1 of $person. !`id`',
  );
  await withServer({ [PATH]: text }, async (server) => {
    const { connection, uri } = server;
    await server.open(PATH, text);
    const ask = (client: string | undefined, called: string | undefined) =>
      connection.sendRequest<ComposeReply>('skill/compose', { uri: uri(PATH), client, arguments: called });
    const promptOf = async (client: string) => {
      const { result } = await ask(client, 'Mara dusk');
      return result.ok ? result.composition.prompt.trim() : assert.fail('it does not compose');
    };
    assert.equal(await promptOf('claude-code'), 'Merge dusk of Mara. !`id`');
    assert.equal(await promptOf('goose'), 'Merge Mara of Mara. !`id`');
    assert.equal(await promptOf('codex'), 'Merge $1 of $person. !`id`');
    const reply = await ask('claude-code', 'Mara dusk');
    assert.ok(reply.result.ok && reply.call);
    const { prompt, segments } = reply.result.composition;
    const value = segments.find(({ kind }) => kind === 'value');
    assert.equal(prompt.slice(value?.start, value?.end), 'dusk');
    assert.deepEqual(value?.source?.range, { start: { line: 6, character: 6 }, end: { line: 6, character: 8 } });
    const [command] = reply.call.commands;
    assert.equal(prompt.slice(command?.start, command?.end), '!`id`');
    assert.deepEqual(reply.call.words, ['Mara', 'dusk']);
    const { call, result } = await ask(undefined, undefined);
    assert.deepEqual(
      [call?.names, call?.placeholders],
      [
        ['person', 'day'],
        ['$1', '$person'],
      ],
    );
    assert.ok(result.ok && result.composition.prompt.includes('$1 of $person'));
  });
});

test('returns no matrix for a file that is not a SKILL.md', async () => {
  await withServer(files, async (server) => {
    assert.equal(await clients(server, 'plain.skill.md'), null);
    assert.equal(await clients(server, 'nowhere/SKILL.md'), null);
  });
});

test('the matrix is computed from the text of the buffer', async () => {
  await withServer(files, async (server) => {
    await server.open(PATH, skill('name: tidy-notes', 'description: Short.'));
    const reply = await clients(server, PATH);
    assert.equal(reply?.clients.find(({ id }) => id === 'codex')?.cells.cut.outcome, 'no');
  });
});

test('the setting has precedence over the catalog', async () => {
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

test('a skill that is opened through a symbolic link is treated as a linked folder or file', {
  skip: windows,
}, async () => {
  const all = { 'shared/tidy-notes/SKILL.md': files[PATH], '.codex/skills/notes.txt': '' };
  await withServer(all, async (server) => {
    const [linked, path] = ['.codex/skills/tidy-notes', '.codex/skills/tidy-notes/SKILL.md'];
    const place = fileURLToPath(server.uri(linked));
    const told = async (id: string) => {
      const cell = (await clients(server, path))?.clients.find((client) => client.id === id)?.cells.found;
      return [cell?.outcome, cell?.reasons.some(({ text }) => text.includes('is a link'))].join();
    };
    symlinkSync('../../shared/tidy-notes', place);
    await server.open(path, files[PATH]);
    await until('the linked folder to be followed', async () => (await told('codex')) === 'yes,true');
    assert.equal(await told('claude-code'), 'no,false');
    rmSync(place);
    mkdirSync(place);
    symlinkSync('../../../shared/tidy-notes/SKILL.md', join(place, 'SKILL.md'));
    await server.connection.sendNotification('textDocument/didSave', { textDocument: { uri: server.uri(path) } });
    await until('the linked file to be passed over', async () => (await told('codex')) === 'no,true');
    rmSync(join(place, 'SKILL.md'));
    writeFileSync(join(place, 'SKILL.md'), files[PATH]);
    await server.connection.sendNotification('textDocument/didSave', { textDocument: { uri: server.uri(path) } });
    await until('the file to be one of its own', async () => (await told('codex')) === 'yes,false');
  });
});

test('the chain of a client ranks the typed request and the cases in `evals/`, each with its location', async () => {
  const evals = '.agents/skills/tidy-notes/evals/triggers.json';
  const withEvals = {
    ...files,
    '.agents/skills/merge/SKILL.md': skill('name: merge', 'description: Merges scenes.'),
    [evals]: '[{"query": "merge scenes", "should_trigger": true}]\n',
  };
  await withServer(withEvals, async ({ connection, uri }) => {
    const ask = (more: object) =>
      connection.sendRequest<ChosenReply | null>('skill/chosen', { uri: uri(PATH), ...more });
    const reply = await ask({ request: 'merge the scenes' });
    assert.ok(reply);
    assert.deepEqual(
      [reply.client.id, reply.steps.map(({ outcome }) => outcome)],
      ['codex', ['yes', 'yes', 'yes', 'no', 'yes']],
    );
    assert.deepEqual(
      [reply.ranking?.outcome, reply.ranking?.rival?.uri],
      ['rival', uri('.agents/skills/merge/SKILL.md')],
    );
    const [one] = reply.cases;
    assert.deepEqual([one?.holds, one?.at.uri, one?.at.range.start.line], [false, uri(evals), 0]);
    assert.ok((one?.at.range.start.character ?? 0) > 0);
    assert.equal((await ask({ client: 'goose' }))?.client.id, 'goose');
    assert.equal(await connection.sendRequest('skill/chosen', { uri: uri('plain.skill.md') }), null);
  });
});

test('a client that finds a copy of the skill is marked, as soon as the copy is there', async () => {
  const text = skill('name: tidy-notes', 'description: Tidies notes.');
  const catalog = 'agent_skills: {clients: [claude-code, codex]}\n';
  await withServer({ [PATH]: text, 'skills.config.yaml': catalog }, async (server) => {
    const { connection, uri } = server;
    await server.open(PATH);
    const claude = async () => (await clients(server, PATH))?.clients.find(({ id }) => id === 'claude-code');
    await until('the matrix', async () => (await claude())?.cells.loaded.outcome === 'no');
    assert.equal((await claude())?.isElsewhere, undefined);
    let isNotified = false;
    connection.onNotification(ComposableChangedNotification.method, () => {
      isNotified = true;
    });
    const copy = '.claude/skills/tidy-notes/SKILL.md';
    mkdirSync(fileURLToPath(uri('.claude/skills/tidy-notes')), { recursive: true });
    writeFileSync(fileURLToPath(uri(copy)), text);
    await connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: uri(copy), type: 1 }] });
    await until('the mark', async () => (await claude())?.isElsewhere === true);
    // The preview asks for the matrix again after this message.
    await until('the message', () => isNotified);
  });
});
