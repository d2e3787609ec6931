/** Every request of an editor about a generated file gets a result, and the server logs no error. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { extended } from '../../extended.ts';
import { SCALE, stride } from '../../random.ts';
import { enormousTexts } from '../enormous.ts';
import type { Enormous } from '../enormous-parts.ts';
import { startServer } from './server.ts';

/** The requests about a whole file, with the parameters that each request has in addition to the file name. */
const OF_FILES: Readonly<Record<string, object>> = {
  'textDocument/diagnostic': {},
  'textDocument/documentSymbol': {},
  'textDocument/foldingRange': {},
  'textDocument/semanticTokens/full': {},
  'textDocument/codeLens': {},
  'textDocument/documentLink': {},
  'textDocument/formatting': { options: { tabSize: 2, insertSpaces: true } },
};

/** The requests about a range. */
const OF_RANGES: Readonly<Record<string, object>> = {
  'textDocument/inlayHint': {},
  'textDocument/codeAction': { context: { diagnostics: [] } },
};

/** The requests about a position. */
const OF_PLACES: Readonly<Record<string, object>> = {
  'textDocument/hover': {},
  'textDocument/completion': {},
  'textDocument/definition': {},
  'textDocument/documentHighlight': {},
  'textDocument/signatureHelp': {},
  'textDocument/linkedEditingRange': {},
  'textDocument/prepareRename': {},
  'textDocument/prepareCallHierarchy': {},
  'textDocument/references': { context: { includeDeclaration: true } },
  'textDocument/rename': { newName: 'other' },
};

/** Sends the requests `which` about the whole file, or else all requests. */
async function askAll({ path, text, beside = {} }: Enormous, which?: readonly string[]): Promise<void> {
  const disk = new Map(Object.entries(beside).map(([name, content]) => [`file:///one/${name}`, content]));
  const server = await startServer(disk, ['file:///one']);
  const uri = `file:///one/${path}`;
  const textDocument = { uri };
  const buffer = TextDocument.create(uri, 'skillmd', 1, text);
  const whole = { start: buffer.positionAt(0), end: buffer.positionAt(text.length) };
  const ask = async (method: string, params: object): Promise<void> => {
    try {
      await server.client.sendRequest(method, { textDocument, ...params });
    } catch (error) {
      // An error message is a valid result, for example if nothing can be renamed.
      if (!(error instanceof Error && 'code' in error && error.code !== -32603)) throw error;
    }
  };
  await server.client.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: 'skillmd', version: 1, text },
  });
  for (const [method, more] of Object.entries(OF_FILES)) if (which?.includes(method) ?? true) await ask(method, more);
  if (which === undefined) {
    for (const [method, more] of Object.entries(OF_RANGES)) await ask(method, { range: whole, ...more });
    for (const share of [0.25, 0.9]) {
      const position = buffer.positionAt(Math.floor(text.length * share));
      for (const [method, more] of Object.entries(OF_PLACES)) await ask(method, { position, ...more });
      await ask('textDocument/selectionRange', { positions: [position] });
      for (const [method, more] of Object.entries(OF_RANGES)) {
        await ask(method, { range: { start: position, end: position }, ...more });
      }
    }
  }
  assert.deepEqual(server.faults, []);
  server.end();
}

describe('the server answers all requests from an editor without faults for', () => {
  for (const [at, one] of enormousTexts(3_000 * Math.max(1, SCALE)).entries()) {
    if (at % stride(1) === 0) it(one.title, () => askAll(one));
  }
});

it('formats and outlines a list with more items than a function call can have arguments', extended, () => {
  const all = enormousTexts(300_000);
  const list = all.find(({ title }) => title === 'a long list of numbers');
  assert.ok(list);
  return askAll(list, ['textDocument/formatting', 'textDocument/documentSymbol']);
});
