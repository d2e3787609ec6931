/** Every request of the server to its client is optional: everything else works without its reply. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ClientCapabilities,
  type CompletionList,
  type Diagnostic,
  ErrorCodes,
  type Hover,
  ResponseError,
  type WorkspaceEdit,
  type WorkspaceSymbol,
} from 'vscode-languageserver-protocol/node';
import { type Server, whenRead, withServer } from './server.ts';
import { until } from './until.ts';

const FILES = {
  'skills.config.yaml': 'tools:\n  - {name: read_page, description: Reads a page.}\n',
  'one.skill.md': `---
name: one
description: Tidies notes. Use it for notes.
version: 1.0.0
tools: [reed_page]
input_schema: {note: string}
---

## PromptTemplate: Frame

{{ note }}
`,
  'two.skill.md':
    '---\nname: two\ndescription: Reads notes. Use it to read.\nversion: 1.0.0\ninput_schema: {}\n---\nRead.\n',
};

const [dynamic, refreshable] = [{ dynamicRegistration: true }, { refreshSupport: true }];

/** The capabilities for which the server sends requests. */
const CAPABILITIES: ClientCapabilities = {
  textDocument: { diagnostic: {}, formatting: dynamic, rangeFormatting: dynamic, onTypeFormatting: dynamic },
  window: { workDoneProgress: true },
  workspace: {
    ...{ configuration: true, workspaceFolders: true, didChangeConfiguration: dynamic, diagnostics: refreshable },
    ...{ codeLens: refreshable, inlayHint: refreshable, semanticTokens: refreshable },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
  },
};

const METHODS = [
  'client/registerCapability',
  'client/unregisterCapability',
  'window/workDoneProgress/create',
  'workspace/codeLens/refresh',
  'workspace/configuration',
  'workspace/diagnostic/refresh',
  'workspace/inlayHint/refresh',
  'workspace/semanticTokens/refresh',
];

type Replies = Readonly<Record<string, (params: unknown) => unknown>>;

/** A client whose replies a test chooses. */
class Client {
  /** The received requests, in order. */
  readonly asked: string[] = [];
  readonly logged: string[] = [];
  settings: object = {};
  /** Returns or rejects with the reply to the requests of one method; other requests get the usual reply. */
  readonly #replies: Replies;

  constructor(replies: Replies = {}) {
    this.#replies = replies;
  }

  run(body: (server: Server) => Promise<void>, more: object = {}): Promise<void> {
    const params = { capabilities: CAPABILITIES, initializationOptions: { previewCommand: 'preview', ...more } };
    const withLog = (server: Server): Promise<void> => {
      server.connection.onNotification('window/logMessage', ({ message }) => void this.logged.push(message));
      return body(server);
    };
    return withServer(FILES, withLog, params, undefined, (method, given) => {
      this.asked.push(method);
      const reply = this.#replies[method];
      if (reply) return reply(given) as object;
      return method === 'workspace/configuration' ? [this.settings] : null;
    });
  }
}

const declined = (): never => {
  throw new ResponseError(ErrorCodes.MethodNotFound, 'This client has no such feature.');
};

const never = (): Promise<never> => new Promise(() => {});

const place = (server: Server, path: string, line: number, character: number) => ({
  textDocument: { uri: server.uri(path) },
  position: { line, character },
});

async function rulesIn(server: Server, path: string): Promise<readonly unknown[]> {
  const params = { textDocument: { uri: server.uri(path) } };
  const { items } = await server.connection.sendRequest<{ items: Diagnostic[] }>('textDocument/diagnostic', params);
  return items.map(({ code }) => code);
}

/** Uses the features that an author notices, and then changes that make the server send its other requests. */
async function work(server: Server, client: Client, method: string): Promise<void> {
  const { connection, open, uri } = server;
  await open('one.skill.md');
  await until('the finding', async () => (await rulesIn(server, 'one.skill.md')).includes('unknown-tool'));
  await until('all symbols', async () => {
    const symbols = await connection.sendRequest<WorkspaceSymbol[]>('workspace/symbol', { query: '' });
    return ['one', 'two'].every((name) => symbols.some((symbol) => symbol.name === name));
  });
  const hover = await connection.sendRequest<Hover>('textDocument/hover', place(server, 'one.skill.md', 5, 3));
  assert.match(JSON.stringify(hover), /input_schema/);
  const list = await connection.sendRequest<CompletionList>(
    'textDocument/completion',
    place(server, 'one.skill.md', 4, 9),
  );
  assert.match(JSON.stringify(list), /read_page/);
  const rename = { ...place(server, 'one.skill.md', 10, 4), newName: 'text' };
  const edit = await whenRead(() => connection.sendRequest<WorkspaceEdit>('textDocument/rename', rename));
  assert.match(JSON.stringify(edit), /text/);
  const options = { tabSize: 2, insertSpaces: true };
  const format = { textDocument: { uri: uri('one.skill.md') }, options };
  assert.ok(Array.isArray(await connection.sendRequest('textDocument/formatting', format)));

  // The new folder of the account is watched instead of the old one, and formatting is unregistered.
  client.settings = { accountSkills: uri('other'), format: { enable: false } };
  await connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { skillComposer: client.settings },
  });
  // The new name changes the graph.
  await open('two.skill.md', FILES['two.skill.md'].replace('name: two', 'name: three'));
  await connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: uri('two.skill.md'), version: 2 },
    contentChanges: [{ text: FILES['two.skill.md'].replace('name: two', 'name: four') }],
  });
  await until(`the request ${method}`, () => client.asked.includes(method));
  await until('the new symbol', async () => {
    const symbols = await connection.sendRequest<WorkspaceSymbol[]>('workspace/symbol', { query: 'four' });
    return symbols.length > 0;
  });
  await until('the finding again', async () => (await rulesIn(server, 'one.skill.md')).includes('unknown-tool'));
  const errors = client.logged.filter((line) => /Error|TypeError|report it/.test(line));
  assert.deepEqual(errors, []);
}

test('a client that answers every request is asked with each method', async () => {
  const client = new Client();
  await client.run(async (server) => {
    await work(server, client, 'client/unregisterCapability');
    for (const method of METHODS) await until(method, () => client.asked.includes(method));
  });
  assert.deepEqual([...new Set(client.asked)].sort(), METHODS);
  assert.deepEqual(
    client.logged.filter((line) => line.includes('declined')),
    [],
  );
});

for (const method of METHODS) {
  describe(`everything else works if the client`, () => {
    test(`declines ${method}, which is logged once`, async () => {
      const client = new Client({ [method]: declined });
      await client.run(async (server) => {
        await work(server, client, method);
        const lines = () => client.logged.filter((line) => line.includes('declined'));
        await until('the line in the log', () => lines().length > 0);
        assert.deepEqual([...new Set(lines())], lines());
        for (const line of lines()) {
          assert.ok(line.startsWith(`The client declined \`${method}\`: This client has no such feature. The`), line);
        }
      });
    });

    for (const garbage of [42, 'text', [], [[[]]], {}]) {
      test(`replies ${JSON.stringify(garbage)} to ${method}`, async () => {
        const client = new Client({ [method]: () => garbage });
        await client.run((server) => work(server, client, method));
      });
    }

    test(`never replies to ${method}`, async () => {
      const client = new Client({ [method]: never });
      await client.run((server) => work(server, client, method));
    });
  });
}

for (const [does, reply] of [
  ['declines', declined],
  ['never answers', never],
] as const) {
  test(`everything else works if the client ${does} all requests`, async () => {
    const client = new Client(Object.fromEntries(METHODS.map((method) => [method, reply])));
    await client.run((server) => work(server, client, 'client/registerCapability'));
  });
}

test('late settings are applied when they arrive', async () => {
  let reply = (_: object): void => {};
  const held = new Promise<object>((resolve) => {
    reply = resolve;
  });
  const client = new Client({ 'workspace/configuration': () => held });
  await client.run(async (server) => {
    await server.open('one.skill.md');
    await until('the finding', async () => (await rulesIn(server, 'one.skill.md')).includes('unknown-tool'));
    reply([{ rules: { 'unknown-tool': 'off' } }]);
    await until('no finding', async () => (await rulesIn(server, 'one.skill.md')).length === 0);
  });
});

test('late settings do not replace newer ones', async () => {
  const replies: ((reply: object) => void)[] = [];
  const client = new Client({ 'workspace/configuration': () => new Promise((resolve) => void replies.push(resolve)) });
  await client.run(async (server) => {
    await server.open('one.skill.md');
    await until('the first request', () => replies.length === 1);
    await server.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await until('the second request', () => replies.length === 2);
    replies[1]?.([{ rules: { 'unknown-tool': 'hint' } }]);
    replies[0]?.([{ rules: { 'unknown-tool': 'off' } }]);
    await until('the finding', async () => (await rulesIn(server, 'one.skill.md')).includes('unknown-tool'));
    // The server handles messages in order, so it has handled both replies.
    assert.deepEqual(await rulesIn(server, 'one.skill.md'), ['unknown-tool']);
  });
});

test('a client that declines to be asked for its settings can send them', async () => {
  const client = new Client({ 'workspace/configuration': declined });
  await client.run(async (server) => {
    await server.open('one.skill.md');
    await until('the finding', async () => (await rulesIn(server, 'one.skill.md')).includes('unknown-tool'));
    const settings = { skillComposer: { rules: { 'unknown-tool': 'off' } } };
    await server.connection.sendNotification('workspace/didChangeConfiguration', { settings });
    await until('no finding', async () => (await rulesIn(server, 'one.skill.md')).length === 0);
  });
});
