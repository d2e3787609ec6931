import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { frame, startProcess, withServer } from './server.ts';
import { until } from './until.ts';

test('reports its capabilities, and ends after `exit`', async () => {
  await withServer(
    { 'one.skill.md': '---\nname: one\n---\n' },
    async ({ initialized, open, published, stderr }) => {
      assert.ok(initialized.capabilities.textDocumentSync, 'it supports documents');
      await open('one.skill.md');
      await published('one.skill.md', (all) => all.length > 0);
      assert.equal(stderr(), '');
    },
    {},
    startProcess,
  );
});

test('reports invalid settings in a notification, which every client supports', async () => {
  const told: { readonly type: number; readonly message: string }[] = [];
  await withServer({}, async ({ connection }) => {
    connection.onNotification('window/showMessage', (message) => void told.push(message));
    await connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { skillComposer: { rules: { 'unknown-tool': 'loud' } } },
    });
    await until('the message', () => told.length > 0);
    assert.equal(told[0]?.type, 2);
    assert.match(told[0]?.message ?? '', /^Invalid settings; using the defaults\. .*unknown-tool/);
  });
});

test('settings of a workspace show neither links nor invisible characters in a notification', async () => {
  const told: { readonly message: string }[] = [];
  await withServer({}, async ({ connection }) => {
    connection.onNotification('window/showMessage', (message) => void told.push(message));
    const text = '[Fix](command:workbench.action.terminal.new)\u202e\n';
    await connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { skillComposer: { files: text, rules: { [text]: text }, [text]: text } },
    });
    await until('the message', () => told.length > 0);
    assert.ok(told[0]?.message.includes('command:'), told[0]?.message);
    assert.doesNotMatch(told[0]?.message ?? '', /\]\(|\u202e/);
  });
});

test('answers messages that arrive together with `initialize` in order', async () => {
  const server = spawn(process.execPath, ['dist/server.js', '--stdio'], { stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve) => server.on('close', resolve));
  const uri = 'untitled:one.skill.md';
  const open = (version: number, text: string) => ({ uri, languageId: 'skillmd', version, text });
  const place = { textDocument: { uri } };
  const messages = [
    { id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } },
    { method: 'initialized', params: {} },
    { method: 'textDocument/didOpen', params: { textDocument: open(1, '---\nname: one\n---\n\n# One\n') } },
    { id: 2, method: 'textDocument/documentSymbol', params: place },
    {
      method: 'textDocument/didChange',
      params: { textDocument: { uri, version: 2 }, contentChanges: [{ text: '---\nname: one\n---\n\n# Two\n' }] },
    },
    { id: 3, method: 'textDocument/documentSymbol', params: place },
    { id: 4, method: 'no/such/request', params: {} },
    { id: 5, method: 'shutdown' },
    { method: 'exit' },
  ];
  server.stdin.write(messages.map(frame).join(''));
  const answers = new Map<number, string>();
  const order: number[] = [];
  let text = '';
  for await (const part of server.stdout.setEncoding('utf8')) text += part;
  for (const [, body = ''] of text.matchAll(/Content-Length: \d+\r\n\r\n(.*?)(?=Content-Length|$)/gs)) {
    const { id } = JSON.parse(body) as { id?: number };
    if (id === undefined) continue;
    order.push(id);
    answers.set(id, body);
  }
  assert.equal(await ended, 0);
  assert.deepEqual(order, [1, 2, 3, 4, 5]);
  assert.match(answers.get(2) ?? '', /"One"/);
  assert.match(answers.get(3) ?? '', /"Two"/);
  assert.match(answers.get(4) ?? '', /Unhandled method/);
});

test('the language server and the command line share one copy of the rules', () => {
  const scripts = readdirSync('dist').filter((file) => /\.c?js$/.test(file));
  const holds = (file: string) => readFileSync(`dist/${file}`, 'utf8').includes('does not say what the skill does');
  assert.deepEqual(scripts.filter(holds), ['core.js']);
});

for (const name of ['cli.cjs', 'client.js', 'core.js', 'server.js']) {
  test(`${name} runs in strict mode, like its modules`, () => {
    const source = readFileSync(`dist/${name}`, 'utf8');
    assert.throws(() => new Script(`${source}\nwith ({}) {}`), /strict mode/i);
  });
}
