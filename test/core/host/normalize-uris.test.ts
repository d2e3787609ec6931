/** The different ways in which a client spells a file's URI. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Message, MessageReader, MessageWriter } from 'vscode-languageserver';
import { withNormalizedUris } from '../../../server/src/frontends/lsp/normalize-uris.ts';

const ONE = 'file:///c%3A/a%20%28b%29.skill.md';
const OPENED = 'file:///C:/a%20(b).skill.md';
const OTHER = 'file:///c:/a%20%28b).skill.md';

const opens = (uri: string) => ({ method: 'textDocument/didOpen', params: { textDocument: { uri, text: '' } } });
const watches = (uri: string) => ({ method: 'workspace/didChangeWatchedFiles', params: { changes: [{ uri }] } });
const deletes = (...uris: readonly string[]) => ({
  method: 'workspace/didChangeWatchedFiles',
  params: { changes: uris.map((uri) => ({ uri, type: 3 })) },
});

/**
 * The diagnostics that the client receives for the file after these messages, and the files that the server has read.
 */
function toldAfter(...messages: readonly object[]) {
  const written: Message[] = [];
  const read: unknown[] = [];
  let send: (message: Message) => void = () => {};
  const listen = (callback: typeof send): void => {
    send = callback;
  };
  const input = { listen } as unknown as MessageReader;
  const output = { write: async (message: Message) => void written.push(message) } as unknown as MessageWriter;
  const { reader, writer } = withNormalizedUris(input, output);
  reader.listen((message) => read.push(message));
  for (const message of messages) send({ jsonrpc: '2.0', ...message } as Message);
  void writer.write({ jsonrpc: '2.0', params: { uri: ONE } } as Message);
  assert.doesNotMatch(JSON.stringify(read), /\(|C:/);
  return (written[0] as unknown as { params: { uri: string } }).params.uri;
}

test('messages to a client contain the URI with which the client opened the file', () => {
  for (const opened of [OPENED, ONE]) {
    assert.equal(toldAfter(opens(opened), watches(OTHER)), opened);
    assert.equal(toldAfter(watches(OTHER), opens(opened)), opened);
  }
  assert.equal(toldAfter(watches(OTHER), watches(OPENED)), OTHER);
});

test('the spelling of a deleted file is used for its last messages, and forgotten after many other deletions', () => {
  const others = Array.from({ length: 1_000 }, (_, at) => `file:///C:/b/${at}.skill.md`);
  const later = [deletes(...others)];
  assert.equal(toldAfter(opens(OPENED), deletes(OPENED)), OPENED);
  assert.equal(toldAfter(opens(OPENED), ...later), OPENED, 'this file was not deleted');
  assert.equal(toldAfter(opens(OPENED), deletes(OPENED), ...later), ONE);
  assert.equal(toldAfter(opens(OPENED), deletes('file:///C:'), ...later), ONE, 'its folder was deleted');
  assert.equal(toldAfter(opens(OPENED), deletes(OPENED), opens(OPENED), ...later), OPENED, 'it was created again');
});
