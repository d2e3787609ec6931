/** A language server in this process, on files that a test holds in its hands. */
import { PassThrough } from 'node:stream';
import { createConnection } from 'vscode-languageserver/node';
import {
  createProtocolConnection,
  type InitializeParams,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import type { Files, Stamp } from '../../../server/src/hosts/files.ts';
import type { CacheStore } from '../../../server/src/hosts/index-cache/store.ts';
import { serve } from '../../../server/src/hosts/lsp.ts';
import { openSession } from '../../../server/src/hosts/open-session.ts';
import { isBelow, servedTest } from '../../../server/src/hosts/served-files.ts';

export interface StreamServer {
  readonly client: ProtocolConnection;
  /** What the server logged as an error: a fault of its own, since whatever a client sends has an answer. */
  readonly faults: readonly string[];
  readonly end: () => void;
}

/** The files of a disk, by URI. */
export type Disk = Map<string, string>;

/** When each text came to its file, as a clock would say it that ticks with every change. */
const writtenAt = new WeakMap<Disk, Map<string, { readonly text: string; readonly mtime: number }>>();

function stampOf(disk: Disk, uri: string): Stamp | undefined {
  const text = disk.get(uri);
  const times = writtenAt.get(disk) ?? new Map<string, { readonly text: string; readonly mtime: number }>();
  writtenAt.set(disk, times);
  const known = times.get(uri);
  if (text === undefined) return undefined;
  const mtime = known ? known.mtime + (known.text === text ? 0 : 1) : 1;
  times.set(uri, { text, mtime });
  return { size: text.length, mtime };
}

const filesOf = (disk: Disk): Files => ({
  find: async (folders, globs) => {
    const isServed = servedTest({ folders, globs });
    return [...disk.keys()].filter((uri) => isBelow(uri, folders) && isServed(uri));
  },
  read: async (uri) => disk.get(uri),
  exists: async (uri) => disk.has(uri),
  list: async () => [],
  disk: { read: (uri) => disk.get(uri), stamp: (uri) => stampOf(disk, uri) },
});

/** Nothing is composed here: what a worker does is no matter of messages, and threads would take the time. */
const startWorker = () => {
  throw new Error('There are no threads here.');
};

/** A cache that keeps whatever there is, at once. */
export interface MemoryStore extends CacheStore {
  /** How often something was found in it. */
  readonly hits: () => number;
}

export function memoryStore(): MemoryStore {
  const kept = new Map<string, string>();
  let hits = 0;
  return {
    ...{ program: 'test', atLeast: 0, quiet: 0 },
    async read(name) {
      const text = kept.get(name);
      if (text !== undefined) hits++;
      return text;
    },
    async write(name, text) {
      kept.set(name, text);
    },
    hits: () => hits,
  };
}

/** Starts a server that pulls, and initializes it. */
export async function startServer(disk: Disk, folders: readonly string[], cache?: CacheStore): Promise<StreamServer> {
  const [up, down] = [new PassThrough(), new PassThrough()];
  serve(
    (messageStrategy) =>
      createConnection(new StreamMessageReader(up), new StreamMessageWriter(down), { messageStrategy }),
    () => (connection, params) =>
      openSession(connection, params, { files: filesOf(disk), startWorker, ...(cache ? { cache } : {}) }),
  );
  const client = createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  const faults: string[] = [];
  client.onNotification('window/logMessage', ({ type, message }: { type: number; message: string }) => {
    if (type === 1) faults.push(message);
  });
  client.onRequest('client/registerCapability', () => null);
  client.listen();
  const params: InitializeParams = {
    processId: null,
    rootUri: null,
    workspaceFolders: folders.map((uri) => ({ uri, name: uri })),
    capabilities: {
      workspace: { workspaceFolders: true },
      textDocument: {
        diagnostic: {},
        rename: { prepareSupport: true },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      },
    },
    initializationOptions: { previewCommand: 'preview' },
  };
  await client.sendRequest('initialize', params);
  await client.sendNotification('initialized', {});
  return {
    client,
    faults,
    // The server may still have something to say, and its way out stays open: a process would end here.
    end: () => client.dispose(),
  };
}
