/** Each registered request is guarded: an error in its handler is logged, and the request gets a reply. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver';
import { onRequest } from '../../../server/src/frontends/lsp/handlers/guard.ts';
import {
  handleEmit,
  handleInstall,
  handleInstalled,
  handlePack,
} from '../../../server/src/frontends/lsp/handlers/packing.ts';
import { handlePull } from '../../../server/src/frontends/lsp/handlers/pull.ts';
import { handleEditorTools } from '../../../server/src/frontends/lsp/handlers/tools.ts';
import { openSession } from '../../../server/src/frontends/lsp/open-session.ts';
import type { Files } from '../../../server/src/io/files.ts';
import { UserError } from '../../../server/src/io/user-error.ts';

type Handler = (params: object, token: Partial<CancellationToken>) => unknown;

const TOKEN: Partial<CancellationToken> = { isCancellationRequested: false };

/** A connection that records the handlers of requests, the notifications, and the logged errors. It ignores everything else. */
function recordingConnection() {
  const handlers = new Map<string, Handler>();
  const logged: string[] = [];
  const sent: { readonly method: string; readonly params: object }[] = [];
  const methods: Readonly<Record<string, unknown>> = {
    onRequest: (type: string | { readonly method: string }, handler: Handler) =>
      void handlers.set(typeof type === 'string' ? type : type.method, handler),
    sendNotification: async (method: string, params: object) => void sent.push({ method, params }),
    console: { error: (line: string) => void logged.push(line) },
  };
  const ignoring: object = new Proxy(() => ignoring, {
    get: (_, name) => (name === 'then' ? undefined : (methods[String(name)] ?? ignoring)),
  });
  return { connection: ignoring as Connection, handlers, logged, sent };
}

async function outcomeOf(handler: Handler | undefined, params: object = {}): Promise<unknown> {
  assert.ok(handler);
  try {
    return { reply: await handler(params, TOKEN) };
  } catch (error) {
    assert.ok(error instanceof ResponseError, `the error of a handler reaches the library: ${error}`);
    return { code: error.code, message: error.message };
  }
}

const broken = (): never => {
  throw new TypeError('this part is broken');
};

test('every registered request survives an error of the server', async () => {
  const { connection, handlers, logged } = recordingConnection();
  const files: Files = { find: broken, read: broken, list: broken, exists: broken };
  const lists = ['textDocument/completion', 'textDocument/formatting', 'workspace/diagnostic'];
  const initializationOptions = { previewCommand: 'preview', showReferencesCommand: 'references', trusted: true };
  const capabilities = {
    workspace: { diagnostics: { refreshSupport: true } },
    textDocument: {
      diagnostic: {},
      completion: { completionItem: { resolveSupport: { properties: ['documentation'] } } },
    },
  };
  const params = { processId: null, rootUri: null, capabilities, initializationOptions };
  const startWorker = broken;
  const session = openSession(connection, params, { files, startWorker });
  handleEditorTools(connection, session, broken);
  handleInstall(connection, session, broken, true);
  handleInstalled(connection, session, broken);
  handlePack(connection, broken);
  handleEmit(connection, session, broken, { trusted: true, home: undefined });
  handlePull(connection, session, { trusted: true, assertInside: broken });
  for (const name of ['analysis', 'findings', 'locate']) Object.defineProperty(session, name, { get: broken });
  for (const name of ['read', 'checked', 'catalogLoaded', 'receive', 'report', 'version'])
    Object.defineProperty(session, name, { value: broken });

  const uri = 'file:///site/a.skill.md';
  const request = {
    ...{ uri, uris: [uri], folder: 'file:///site', folders: [], textDocument: { uri }, position: {}, item: { uri } },
    ...{ files: [{ oldUri: uri, newUri: uri }], previousResultIds: [], name: 'a', kind: 'composite', composes: [] },
    ...{ session: 'one', message: { type: 'request' }, request: 'a', requests: [], should: true, tool: 'match' },
    ...{ source: 'a', to: '', out: 'a.skill', plan: 1, command: 'a', sample: 'a', query: '', answered: [], data: 1 },
  };
  for (const method of [...lists, 'skill/compose', 'skill/debug', 'skill/install'])
    assert.ok(handlers.has(method), method);
  assert.ok(handlers.size > 50, `${handlers.size} requests`);
  // These requests do not use the session, or use only the request itself.
  const independent = ['skill/debug', 'skill/prepareRuns', 'skill/pullTools', 'completionItem/resolve'];
  for (const [method, handler] of handlers) {
    const before = logged.length;
    const outcome = JSON.stringify(await outcomeOf(handler, request));
    if (independent.includes(method)) continue;
    assert.ok(logged.length > before, `${method} logs the error; its reply is ${outcome}`);
    assert.match(
      logged.at(-1) ?? '',
      new RegExp(`^${method.replaceAll('$', '\\$')}: TypeError: this part is broken\n`),
    );
  }
});

test('a handler that throws or rejects gets the same reply', async () => {
  const { connection, handlers, logged } = recordingConnection();
  const thrown = new TypeError('no such field');
  onRequest(connection, { method: 'a/throws', params: undefined }, () => {
    throw thrown;
  });
  onRequest(connection, { method: 'a/rejects', params: undefined }, () => Promise.reject(thrown));
  const reply = { code: ErrorCodes.InternalError, message: 'Internal error, please report it: no such field' };
  assert.deepEqual(await outcomeOf(handlers.get('a/throws')), reply);
  assert.deepEqual(await outcomeOf(handlers.get('a/rejects')), reply);
  assert.deepEqual(
    logged.map((line) => line.split('\n')[0]),
    ['a/throws: TypeError: no such field', 'a/rejects: TypeError: no such field'],
  );
});

test('a request with a reply for errors gets it', async () => {
  const { connection, handlers, logged } = recordingConnection();
  onRequest(
    connection,
    { method: 'a', params: undefined },
    () => Promise.reject(new Error('b')),
    () => null,
  );
  assert.deepEqual(await outcomeOf(handlers.get('a')), { reply: null });
  assert.equal(logged.length, 1);
});

test('a refusal reaches the user, and is not logged', async () => {
  const { connection, handlers, logged } = recordingConnection();
  const refusals = [new UserError('Select a skill first.'), new ResponseError(LSPErrorCodes.RequestFailed, 'No.')];
  for (const [at, refusal] of refusals.entries()) {
    const answer = () => Promise.reject(refusal);
    onRequest(connection, { method: `${at}`, params: undefined }, answer, () => null);
  }
  const code = LSPErrorCodes.RequestFailed;
  assert.deepEqual(await outcomeOf(handlers.get('0')), { code, message: 'Select a skill first.' });
  assert.deepEqual(await outcomeOf(handlers.get('1')), { code, message: 'No.' });
  assert.deepEqual(logged, []);
});

test('a debug session handles the messages after one that failed', async () => {
  const { connection, handlers, logged, sent } = recordingConnection();
  const files: Files = { find: broken, read: broken, list: broken, exists: broken };
  openSession(connection, { processId: null, rootUri: null, capabilities: {} }, { files, startWorker: broken });
  const debug = handlers.get('skill/debug');
  const failing = Object.defineProperty({}, 'type', { get: broken });
  const initialize = { type: 'request', seq: 1, command: 'initialize', arguments: { adapterID: 'skill' } };
  const outcomes = [failing, initialize].map((message) => outcomeOf(debug, { session: 'one', message }));
  assert.match(JSON.stringify(await outcomes[0]), /Internal error, please report it: this part is broken/);
  assert.match(logged[0] ?? '', /^skill\/debug: TypeError/);
  assert.deepEqual(await outcomes[1], { reply: null });
  assert.match(JSON.stringify(sent), /"command":"initialize"/);
});
