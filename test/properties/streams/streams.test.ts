/** After any messages of a client, the server runs, responds, and has the same state as a newly started server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CancellationTokenSource, type WorkspaceDiagnosticReport } from 'vscode-languageserver-protocol';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { cases } from '../../random.ts';
import { FOLDERS, initialDisk, type Message, stream } from './messages.ts';
import { type Disk, type StreamServer, startServer } from './server.ts';

/** The final state after all messages: the disk, the buffers, the folders, the settings. */
interface Truth {
  readonly disk: Disk;
  readonly buffers: Map<string, TextDocument>;
  readonly folders: Set<string>;
  /** Files whose changes the client has not yet reported. */
  readonly untold: Set<string>;
  rules: Readonly<Record<string, string>>;
}

/** A timeout far above the time of any response, in milliseconds. */
const HANGS_AFTER = 20_000;

function inTime<T>(answer: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer to ${what}.`)), HANGS_AFTER);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Sends one message, and updates the expected state. Returns the response to a request. */
function send(
  { client }: StreamServer,
  truth: Truth,
  message: Exclude<Message, { kind: 'rest' }>,
): Promise<void> | undefined {
  const { disk, buffers, folders } = truth;
  switch (message.kind) {
    case 'open': {
      const { uri, version, text } = message;
      buffers.set(uri, TextDocument.create(uri, 'skillmd', version, text));
      void client.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'skillmd', version, text },
      });
      return undefined;
    }
    case 'change': {
      const { uri, version, changes } = message;
      const buffer = buffers.get(uri);
      if (buffer) TextDocument.update(buffer, [...changes], version);
      void client.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: changes,
      });
      return undefined;
    }
    case 'close':
      buffers.delete(message.uri);
      void client.sendNotification('textDocument/didClose', { textDocument: { uri: message.uri } });
      return undefined;
    case 'save':
      void client.sendNotification('textDocument/didSave', { textDocument: { uri: message.uri } });
      return undefined;
    case 'disk':
      if (message.text === undefined) disk.delete(message.uri);
      else disk.set(message.uri, message.text);
      if (message.late) {
        truth.untold.add(message.uri);
        return undefined;
      }
      void client.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: message.uri, type: message.text === undefined ? 3 : 2 }],
      });
      return undefined;
    case 'folder': {
      const folder = { uri: message.uri, name: message.uri };
      if (message.here) folders.add(message.uri);
      else folders.delete(message.uri);
      void client.sendNotification('workspace/didChangeWorkspaceFolders', {
        event: message.here ? { added: [folder], removed: [] } : { added: [], removed: [folder] },
      });
      return undefined;
    }
    case 'rules':
      truth.rules = message.rules;
      void client.sendNotification('workspace/didChangeConfiguration', {
        settings: { skillComposer: { rules: message.rules } },
      });
      return undefined;
    case 'request': {
      const source = new CancellationTokenSource();
      const answer = client.sendRequest(message.method, message.params, source.token).then(
        () => undefined,
        ({ code, message: words }: { code?: number; message: string }) => {
          // Cancelled, refused and outdated are valid responses. An internal error is not.
          if (code === -32603) throw new Error(`${message.method}: ${words}`);
        },
      );
      if (message.cancelled) source.cancel();
      return inTime(answer, message.method);
    }
  }
}

/** Every file's diagnostics, as the client would show them. */
async function allDiagnostics({ client }: StreamServer): Promise<ReadonlyMap<string, unknown>> {
  const answer = client.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds: [] });
  const { items } = await inTime(answer, 'workspace/diagnostic');
  return new Map(
    items
      .map((item) => [item.uri, item.kind === 'full' ? item.items : []] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const truthOf = (disk: Disk, folders: Iterable<string> = FOLDERS): Truth => ({
  disk,
  buffers: new Map(),
  folders: new Set(folders),
  untold: new Set(),
  rules: {},
});

/** Sends all messages, waits for the responses, and returns the diagnostics at the end. */
async function sendAll(server: StreamServer, truth: Truth, messages: readonly Message[]) {
  const answers: (Promise<void> | undefined)[] = [];
  for (const message of messages) {
    if (message.kind === 'rest') await allDiagnostics(server);
    else answers.push(send(server, truth, message));
  }
  await Promise.all(answers);
  const changes = [...truth.untold].map((uri) => ({ uri, type: 2 }));
  void server.client.sendNotification('workspace/didChangeWatchedFiles', { changes });
  return allDiagnostics(server);
}

/** Fails if the server's state differs from that of a newly started server. */
async function checkAsFresh(server: StreamServer, truth: Truth, found: ReadonlyMap<string, unknown>): Promise<void> {
  const fresh = await startServer(truth.disk, [...truth.folders]);
  send(fresh, truth, { kind: 'rules', rules: truth.rules });
  for (const [uri, buffer] of [...truth.buffers]) {
    send(fresh, truth, { kind: 'open', uri, version: buffer.version, text: buffer.getText() });
  }
  const expected = await allDiagnostics(fresh);
  assert.deepEqual([...server.faults, ...fresh.faults], []);
  assert.deepEqual([...found.keys()], [...expected.keys()]);
  for (const [uri, items] of found) assert.deepEqual(items, expected.get(uri), uri);
  fresh.end();
}

/** Messages whose last edit is followed by a request before the server has processed the edit. */
const typedLast: readonly Message[] = [
  { kind: 'rest' },
  { kind: 'open', uri: `${FOLDERS[0]}/new/SKILL.md`, version: 1, text: '' },
  {
    kind: 'change',
    uri: `${FOLDERS[0]}/new/SKILL.md`,
    version: 2,
    changes: [
      {
        text: '---\nname: new\ndescription: Reads what is not there. Use when nothing else helps.\n---\n\n# New\n\nSee [that](gone.md).\n',
      },
    ],
  },
];

test('after any stream of messages, the diagnostics equal the diagnostics of a new server', async () => {
  await fc.assert(
    fc.asyncProperty(stream, async (messages) => {
      const truth = truthOf(new Map(initialDisk));
      const server = await startServer(truth.disk, [...truth.folders]);
      await checkAsFresh(server, truth, await sendAll(server, truth, messages));
      server.end();
    }),
    { ...cases(40), examples: [[typedLast]] },
  );
});
