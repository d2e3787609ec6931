/** `skill-composer lsp --stdio` is the language server. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { it } from 'node:test';
import { CLI } from './cli.ts';

it('lsp --stdio runs the language server, and ends on `exit`', async () => {
  const server = spawn(process.execPath, [CLI, 'lsp', '--stdio']);
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const params = { processId: null, rootUri: null, capabilities: {} };
  send({ id: 1, method: 'initialize', params });
  const answer = await new Promise<string>((done) => {
    let text = '';
    server.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('"serverInfo"')) done(text);
    });
    server.on('close', () => done(text));
  });
  assert.match(answer, /"name":"skill-composer"/);
  const closed = new Promise<number | null>((done) => server.on('close', done));
  send({ id: 2, method: 'shutdown' });
  send({ method: 'exit' });
  assert.equal(await closed, 0);
});
