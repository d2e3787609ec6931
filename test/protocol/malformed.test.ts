/** The server answers requests of any shape, and continues. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import * as requests from '../../server/src/protocol/requests.ts';
import { cases } from '../random.ts';
import { INITIALIZE, withRawServer } from './raw-server.ts';

const uri = 'file:///w/a.skill.md';
const TEXT = '---\nname: a\ndescription: What it is.\n---\n\n# A\n\nText `x`.\n';
const OPEN = {
  method: 'textDocument/didOpen',
  params: { textDocument: { uri, languageId: 'skillmd', version: 1, text: TEXT } },
};
const SYMBOLS = { method: 'textDocument/documentSymbol', params: { textDocument: { uri } } };

/** The default settings: with an empty list of `files`, no file is a skill. */
const DEFAULTS = {
  method: 'workspace/didChangeConfiguration',
  params: { settings: { skillComposer: { files: ['**/*.skill.md'] } } },
};

const REQUESTS = [
  ...['hover', 'completion', 'signatureHelp', 'definition', 'references', 'documentHighlight', 'prepareRename'],
  ...['rename', 'linkedEditingRange', 'selectionRange', 'documentSymbol', 'foldingRange', 'documentLink', 'codeLens'],
  ...['codeAction', 'inlayHint', 'semanticTokens/full', 'semanticTokens/range', 'formatting', 'rangeFormatting'],
  ...['onTypeFormatting', 'prepareCallHierarchy', 'diagnostic'],
].map((name) => `textDocument/${name}`);
const OTHERS = [
  ...['completionItem/resolve', 'codeLens/resolve', 'callHierarchy/incomingCalls', 'callHierarchy/outgoingCalls'],
  ...['workspace/symbol', 'workspace/diagnostic', 'workspace/willRenameFiles', 'initialize', 'no/such'],
];
/** Our own requests. The notification is tested below, and these requests write files. */
const OWN = Object.values(requests).flatMap((one) =>
  'method' in one && one.params && !/releasedText|install$|pack$|keep|pullTools/.test(one.method) ? one.method : [],
);
const NOTIFICATIONS = [
  ...['Open', 'Change', 'Close', 'Save'].map((name) => `textDocument/did${name}`),
  ...['WatchedFiles', 'WorkspaceFolders', 'Configuration'].map((name) => `workspace/didChange${name}`),
  ...[
    '$/cancelRequest',
    '$/setTrace',
    '$/progress',
    'window/workDoneProgress/cancel',
    'initialized',
    'skill/releasedText',
  ],
];

const wild: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1.5, 1e300, '', 'x', [], {}, [[]], '__proto__', 4_294_967_295),
  fc.constantFrom('file://host/share/a.skill.md', 'file:///%zz%E0%A4%A', 'a b://c', 'http://h/a.skill.md', '%', '//'),
);
const address = fc.oneof({ weight: 4, arbitrary: fc.constant<unknown>(uri) }, { weight: 1, arbitrary: wild });
const position = fc.record({ line: fc.oneof(fc.nat(9), wild), character: fc.oneof(fc.nat(9), wild) });
const range = fc.record({ start: position, end: position });
const field = <T>(of: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: of as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: wild });
const folder = fc.record({ uri: address, name: wild });

/** Random params with the fields of all methods, some of them invalid or missing. */
const params = fc.oneof(
  { weight: 1, arbitrary: wild },
  { weight: 1, arbitrary: fc.constantFrom(undefined, null) },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        textDocument: field(
          fc.record({
            uri: address,
            version: field(fc.integer()),
            languageId: field(fc.constant('skillmd')),
            text: field(fc.constant(TEXT)),
          }),
        ),
        position: field(position),
        positions: field(fc.array(position, { maxLength: 3 })),
        range: field(range),
        context: field(
          fc.record({ includeDeclaration: field(fc.boolean()), only: wild, diagnostics: wild }, { requiredKeys: [] }),
        ),
        contentChanges: field(
          fc.array(fc.record({ text: field(fc.string()), range: field(range) }, { requiredKeys: [] }), {
            maxLength: 3,
          }),
        ),
        event: field(fc.record({ added: field(fc.array(folder, { maxLength: 2 })), removed: wild })),
        changes: field(fc.array(fc.record({ uri: address, type: wild }), { maxLength: 2 })),
        item: field(fc.record({ uri: address, range: field(range) })),
        settings: field(
          fc.record({ skillComposer: field(fc.dictionary(fc.constantFrom('files', 'rules', 'codeLens'), wild)) }),
        ),
        uri: address,
        text: field(fc.constant(TEXT)),
        name: field(fc.constant('one')),
        kind: field(fc.constant('literal')),
        query: wild,
        newName: wild,
        folder: address,
        invocation: field(fc.dictionary(fc.constantFrom('request', 'parameters', 'profile', 'source', 'memory'), wild)),
        without: wild,
        id: wild,
        value: wild,
        token: wild,
        previousResultIds: wild,
      },
      { requiredKeys: [] },
    ),
  },
);
const message = fc.record({
  method: fc.oneof(fc.constantFrom(...REQUESTS, ...OTHERS, ...OWN), fc.constantFrom(...NOTIFICATIONS)),
  params,
});

test('answers every request with any parameters, and then answers a valid request', { timeout: 100_000 }, () =>
  withRawServer(async ({ send, answer, stderr }) => {
    send(INITIALIZE, { method: 'initialized', params: {} });
    await answer('initialize');
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 20, maxLength: 40 }), async (messages) => {
        const sent = messages.map((one) => (NOTIFICATIONS.includes(one.method) ? one : { id: ++serial, ...one }));
        const good = { id: ++serial, ...SYMBOLS };
        const close = { method: 'textDocument/didClose', params: { textDocument: { uri } } };
        send(...sent, DEFAULTS, close, OPEN, good);
        for (const one of sent) {
          if (!('id' in one)) continue;
          const { error } = await answer(one.id as number);
          assert.doesNotMatch(error?.message ?? '', /failed with message/, JSON.stringify(one));
        }
        assert.match(JSON.stringify((await answer(good.id)).result), /"A"/);
      }),
      cases(30),
    );
    assert.doesNotMatch(stderr(), /please report/);
  }),
);

test('answers each of its own requests without parameters', { timeout: 60_000 }, () =>
  withRawServer(async ({ send, answer }) => {
    send(INITIALIZE, { method: 'initialized', params: {} });
    const sent = OWN.flatMap((method) => [{ method }, { method, params: null }]).map((one, id) => ({ id, ...one }));
    send(...sent);
    for (const { id, method } of sent)
      assert.doesNotMatch((await answer(id)).error?.message ?? '', /failed with message/, method);
  }),
);

test('ignores a notification about workspace folders without a valid event', { timeout: 60_000 }, () =>
  withRawServer(async ({ send, answer }) => {
    const capabilities = { workspace: { workspaceFolders: true } };
    send(
      { ...INITIALIZE, params: { ...INITIALIZE.params, capabilities } },
      { method: 'initialized', params: {} },
      OPEN,
    );
    for (const event of [undefined, null, {}, { added: null, removed: [] }, { added: [{}], removed: [] }]) {
      send({ method: 'workspace/didChangeWorkspaceFolders', params: { event } });
    }
    send({ id: 2, ...SYMBOLS });
    assert.match(JSON.stringify((await answer(2)).result), /"A"/);
  }),
);

test('reads a message of ten megabytes', { timeout: 60_000 }, () =>
  withRawServer(async ({ send, answer }) => {
    send(
      INITIALIZE,
      OPEN,
      { id: 1, method: 'no/such', params: { text: 'x'.repeat(10_000_000) } },
      { id: 2, ...SYMBOLS },
    );
    assert.equal((await answer(1)).error?.code, -32601);
    assert.match(JSON.stringify((await answer(2)).result), /"A"/);
  }),
);

test('ignores initialization options of the wrong type, and uses the other options', { timeout: 60_000 }, () =>
  withRawServer(async ({ send, answer }) => {
    const initializationOptions = {
      diagnostics: 5,
      editor: {},
      previewCommand: 'preview',
      trusted: 'yes',
      files: [''],
    };
    send({ ...INITIALIZE, params: { ...INITIALIZE.params, initializationOptions } }, OPEN, { id: 2, ...SYMBOLS });
    assert.match(JSON.stringify((await answer('initialize')).result), /codeLensProvider/);
    assert.match(JSON.stringify((await answer(2)).result), /"A"/);
  }),
);
