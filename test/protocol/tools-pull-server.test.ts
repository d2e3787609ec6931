/** Requests of an editor for the tools of servers and for its own tools (docs/tools.md). */
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type EditorToolsReply,
  EditorToolsRequest,
  type PullToolsReply,
  PullToolsRequest,
  type ToolServersReply,
  ToolServersRequest,
} from '../../server/src/protocol.ts';
import { skill } from './cli.ts';
import { type Server, withServer } from './server.ts';
import { stdio } from './tools-pull.ts';

const files = {
  'skills.config.yaml': 'tools: [{from: .vscode/mcp.json}]\n',
  'read.skill.md': skill('read', 'tools: [read_page]'),
  '.vscode/mcp.json': JSON.stringify({
    inputs: [{ id: 'key', type: 'promptString', description: 'A key', password: true }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a variable of the editor.
    servers: { wiki: stdio('good', { env: { KEY: '${input:key}' } }, '${workspaceFolder}/started') },
  }),
};
const trusted = { initializationOptions: { trusted: true } };

const folderOf = ({ uri }: Server) => uri('').replace(/\/$/, '');
const path = ({ uri }: Server, name: string) => fileURLToPath(uri(name));
const plan = (server: Server, params: object = {}) =>
  server.connection.sendRequest<ToolServersReply>(ToolServersRequest.method, { folder: folderOf(server), ...params });
const pull = (server: Server, id: number) =>
  server.connection.sendRequest<PullToolsReply>(PullToolsRequest.method, { plan: id });

test('returns the inputs and the servers for a pull, and starts the returned servers only once', async () => {
  await withServer(
    files,
    async (server) => {
      const first = await plan(server);
      assert.ok('inputs' in first, JSON.stringify(first));
      assert.deepEqual(first.servers, []);
      assert.deepEqual(first.inputs, [
        { id: 'key', description: 'A key', initial: null, isPassword: true, options: null },
      ]);
      const second = await plan(server, { inputs: { key: 'my-hidden-key' } });
      assert.ok('servers' in second, JSON.stringify(second));
      assert.match(second.servers[0]?.what ?? '', /stdio\.mjs good \S+\/started$/);
      assert.deepEqual(second.servers[0]?.details, ['with the variable KEY=***']);
      assert.doesNotMatch(JSON.stringify(second), /my-hidden-key/);
      assert.match(JSON.stringify(await pull(server, first.plan)), /out of date/);
      assert.ok(!existsSync(path(server, 'started')), 'nothing is started for what was shown before');

      const third = await plan(server, { inputs: { key: 'my-hidden-key' } });
      assert.ok('plan' in third);
      const done = await pull(server, third.plan);
      assert.ok('lines' in done, JSON.stringify(done));
      assert.deepEqual([done.tools, done.missed, done.breaking], [2, [], 0]);
      assert.ok(done.lines.includes('  wiki 1.2.3: 2 tools'), done.lines.join('\n'));
      assert.match(readFileSync(path(server, 'skills.tools.json'), 'utf8'), /"read_page"/);
      assert.match(JSON.stringify(await pull(server, third.plan)), /out of date/);
    },
    trusted,
  );
});

test('reports servers that have not responded, with the reason', async () => {
  const servers = JSON.stringify({ servers: { wiki: stdio('good'), forge: stdio('dies') } });
  await withServer(
    { ...files, '.vscode/mcp.json': servers },
    async (server) => {
      const asked = await plan(server);
      assert.ok('plan' in asked, JSON.stringify(asked));
      const done = await pull(server, asked.plan);
      assert.ok('missed' in done, JSON.stringify(done));
      assert.equal(done.missed.length, 1);
      assert.match(done.missed[0] ?? '', /^forge \(\.vscode\/mcp\.json\) ended with status 1 before it answered\./);
    },
    trusted,
  );
});

test('returns no servers in an untrusted workspace, and starts none', async () => {
  await withServer(files, async (server) => {
    assert.match(JSON.stringify(await plan(server)), /a trusted workspace/);
    assert.match(JSON.stringify(await pull(server, 1)), /a trusted workspace/);
    assert.ok(!existsSync(path(server, 'started')));
  });
});

test('reports an invalid configuration', async () => {
  await withServer(
    { ...files, '.vscode/mcp.json': '{"servers": tok-secret}' },
    async (server) => {
      const reply = JSON.stringify(await plan(server));
      assert.match(reply, /mcp\.json` is not valid JSON/);
      assert.doesNotMatch(reply, /secret/);
    },
    trusted,
  );
});

test("adds the editor's tools to the snapshot and to the known tools", async () => {
  const snapshot = {
    servers: [{ name: 'wiki', version: '1' }],
    tools: [
      { name: 'read_page', server: 'wiki' },
      { name: 'old', from: 'editor' },
    ],
  };
  await withServer({ ...files, 'skills.tools.json': JSON.stringify(snapshot) }, async (server) => {
    const ask = (tools?: object[]) =>
      server.connection.sendRequest<EditorToolsReply>(EditorToolsRequest.method, { folder: folderOf(server), tools });
    const known = await ask();
    assert.ok('taken' in known, JSON.stringify(known));
    assert.deepEqual([known.taken, known.uri], [['old'], server.uri('skills.tools.json')]);
    const made = await ask([{ name: 'run_tests', description: 'Runs tests.', inputSchema: { type: 'object' } }]);
    assert.ok('text' in made, JSON.stringify(made));
    assert.deepEqual(JSON.parse(made.text), {
      servers: snapshot.servers,
      tools: [
        { name: 'read_page', server: 'wiki' },
        { name: 'run_tests', description: 'Runs tests.', inputSchema: { type: 'object' }, from: 'editor' },
      ],
    });
  });
});
