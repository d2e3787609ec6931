import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { frame, withServer } from './server.ts';

test('the server says what it can, and ends when it is told to', async () => {
  await withServer({}, async ({ initialized, stderr }) => {
    assert.ok(initialized.capabilities.textDocumentSync, 'it takes documents');
    assert.equal(stderr(), '');
  });
});

test('what comes in one piece with `initialize`, before the core is loaded, is answered in its order', async () => {
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

for (const name of ['cli.cjs', 'client.js', 'core.js', 'server.js']) {
  test(`${name} is strict, as its modules are`, () => {
    const source = readFileSync(`dist/${name}`, 'utf8');
    assert.throws(() => new Script(`${source}\nwith ({}) {}`), /strict mode/i);
  });
}
