/** A client without capabilities: the server sends it no requests, and uses only the oldest forms of responses. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../temporary.mjs';
import { frame, readerOf, SERVER } from './server.ts';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: never;
  readonly result?: never;
}

const skill = `---
name: broken
description: Tidies notes. Use it for notes.
version: 1.0.0
tools: [reed_page]
input_schema: {note: string}
---

## PromptTemplate: Frame

{{ note }}
`;

/** Sends requests one after another, and returns every received message. */
async function talk(folder: string): Promise<readonly Message[]> {
  const uri = (path: string): string => pathToFileURL(join(folder, path)).href;
  const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const came: Message[] = [];
  let heard = (): void => {};
  readerOf(child.stdout).listen((message) => {
    came.push(message as Message);
    heard();
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const send = (message: object): void => void child.stdin.write(frame(message));
  const until = async (is: (message: Message) => boolean): Promise<void> => {
    while (!came.some(is)) {
      assert.ok(child.exitCode === null && child.signalCode === null, 'the server has ended');
      await Promise.race([new Promise<void>((resolve) => (heard = resolve)), ended]);
    }
  };
  const ask = async (method: string, params: object): Promise<void> => {
    send({ id: method, method, params });
    await until(({ id }) => id === method);
  };
  try {
    await ask('initialize', { processId: null, rootUri: uri(''), capabilities: {} });
    send({ method: 'initialized', params: {} });
    const document = { uri: uri('broken.skill.md') };
    send({
      method: 'textDocument/didOpen',
      params: { textDocument: { ...document, languageId: 'markdown', version: 1, text: skill } },
    });
    await until(
      ({ method, params }) =>
        method === 'textDocument/publishDiagnostics' && JSON.stringify(params).includes('reed_page'),
    );
    const at = { textDocument: document, position: { line: 4, character: 9 } };
    await ask('textDocument/completion', at);
    await ask('textDocument/hover', at);
    await ask('textDocument/definition', { ...at, position: { line: 10, character: 4 } });
    await ask('textDocument/documentSymbol', at);
    await ask('textDocument/rename', { ...at, position: { line: 10, character: 4 }, newName: 'text' });
    send({
      method: 'workspace/didChangeConfiguration',
      params: { settings: { skillComposer: { rules: { 'unknown-tool': 'off' } } } },
    });
    send({
      method: 'workspace/didChangeWatchedFiles',
      params: { changes: [{ uri: uri('skills.config.yaml'), type: 2 }] },
    });
    await ask('textDocument/formatting', { textDocument: document, options: { tabSize: 2, insertSpaces: true } });
    await ask('shutdown', {});
    send({ method: 'exit' });
    await ended;
    return came;
  } finally {
    child.kill();
    await ended;
  }
}

test('a client without capabilities gets no requests and only the oldest formats', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder({
    'skills.config.yaml': 'tools:\n  - {name: read_page, description: Reads a page.}\n',
    'broken.skill.md': skill,
  });
  const came = await talk(folder);
  const methods = new Set(came.flatMap(({ method }) => method ?? []));
  assert.deepEqual(
    [...methods].filter((method) => method !== 'window/logMessage'),
    ['textDocument/publishDiagnostics'],
  );
  const answer = (method: string) => came.find(({ id }) => id === method)?.result as unknown;
  const { capabilities } = answer('initialize') as { readonly capabilities: Readonly<Record<string, unknown>> };
  for (const name of ['codeActionProvider', 'codeLensProvider', 'diagnosticProvider']) {
    assert.equal(capabilities[name], undefined, name);
  }
  assert.equal(capabilities.renameProvider, true);
  for (const item of answer('textDocument/completion') as readonly object[]) {
    assert.ok(!('insertTextFormat' in item) && !('command' in item), 'no snippet, and no command');
  }
  const findings = came.filter(({ method }) => method === 'textDocument/publishDiagnostics');
  assert.ok(!JSON.stringify(findings).includes('href'), 'no link that the editor cannot open');
  for (const place of answer('textDocument/definition') as readonly object[]) assert.ok('uri' in place);
  for (const symbol of answer('textDocument/documentSymbol') as readonly object[]) assert.ok('location' in symbol);
  assert.deepEqual(Object.keys(answer('textDocument/rename') as object), ['changes']);
});
