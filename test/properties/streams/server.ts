/** A language server in this process, with files that a test controls. */
import { PassThrough } from 'node:stream';
import { createConnection } from 'vscode-languageserver/node';
import {
  createProtocolConnection,
  type InitializeParams,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { openSession } from '../../../server/src/frontends/lsp/open-session.ts';
import { serve } from '../../../server/src/frontends/lsp/serve.ts';
import type { Files } from '../../../server/src/io/files.ts';
import { isBelow, servedTest } from '../../../server/src/io/globs.ts';

export interface StreamServer {
  readonly client: ProtocolConnection;
  /**
   * The errors that the server logged. Each error is a defect, since the server must handle every message of a client.
   */
  readonly faults: readonly string[];
  readonly end: () => void;
}

/** The files of a disk, by URI. */
export type Disk = Map<string, string>;

const filesOf = (disk: Disk): Files => ({
  find: async (folders, globs) => {
    const isServed = servedTest({ folders, globs });
    return [...disk.keys()].filter((uri) => isBelow(uri, folders) && isServed(uri));
  },
  read: async (uri) => {
    const text = disk.get(uri);
    return text === undefined ? { kind: 'absent' } : { kind: 'text', text };
  },
  exists: async (uri) => disk.has(uri),
  list: async () => [],
});

/** Throws: these tests are about messages and compose nothing, and threads would be slow. */
const startWorker = () => {
  throw new Error('There are no threads here.');
};

/** Starts a server with pull diagnostics, and initializes it. */
export async function startServer(disk: Disk, folders: readonly string[]): Promise<StreamServer> {
  const [up, down] = [new PassThrough(), new PassThrough()];
  serve(
    (messageStrategy) =>
      createConnection(new StreamMessageReader(up), new StreamMessageWriter(down), { messageStrategy }),
    () => (connection, params) => openSession(connection, params, { files: filesOf(disk), startWorker }),
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
      workspace: { workspaceFolders: true, diagnostics: { refreshSupport: true } },
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
    // Ends only the client: the server may still send messages, and its output stays open. A server process would end
    // here.
    end: () => client.dispose(),
  };
}
