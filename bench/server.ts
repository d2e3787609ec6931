/** Runs a language server as a child process, and acts as its client over the standard streams. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type ConfigurationParams,
  createProtocolConnection,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  TextDocumentSyncKind,
} from 'vscode-languageserver-protocol/node';

export interface Target {
  readonly command: readonly string[];
  /** The workspace folder. */
  readonly folder: string;
  /** True if the client requests diagnostics; false if the server sends diagnostics by itself. */
  readonly pull: boolean;
  /** Settings by section, for servers that request their configuration. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface Server {
  readonly pid: number;
  readonly pull: boolean;
  /** True if the client must send the whole text after each change. */
  readonly sendsWholeText: boolean;
  readonly connection: ProtocolConnection;
  /** The time from starting the process to the response to `initialize`, in milliseconds. */
  readonly startTime: number;
  /** Resolves when diagnostics for this or a later version of a document have been sent. */
  published(uri: string, version: number): Promise<void>;
  /** The standard error output of the server. */
  output(): string;
}

const TIME_LIMIT = 300_000;

/** Starts a server, runs `body`, and ends the server, by force if it does not exit. */
export async function withServer<T>(target: Target, body: (server: Server) => Promise<T>): Promise<T> {
  const { folder, pull, settings } = target;
  const [program = '', ...args] = target.command;
  const began = performance.now();
  const child = spawn(program, args, { cwd: folder, stdio: 'pipe' });
  const closed = once(child, 'close');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk).slice(-4000);
  });
  const connection = createProtocolConnection(child.stdout, child.stdin);
  const waiting = new Set<(params: PublishDiagnosticsParams) => void>();
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    for (const heard of waiting) heard(params);
  });
  connection.onRequest('workspace/configuration', ({ items }: ConfigurationParams) =>
    items.map(({ section = '' }) => settings?.[section] ?? null),
  );
  for (const method of ['client/registerCapability', 'window/workDoneProgress/create']) {
    connection.onRequest(method, () => null);
  }
  connection.listen();
  const timeout = new AbortController();
  const failed = Promise.race([
    closed.then(() => 'The server ended'),
    sleep(TIME_LIMIT, 'The server did not answer in time', { signal: timeout.signal }).catch(() => ''),
  ]).then((reason) => Promise.reject(new Error(`${reason}. ${output.slice(-500)}`)));
  failed.catch(() => {});

  const session = async (): Promise<T> => {
    const rootUri = pathToFileURL(folder).href;
    const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
      capabilities: {
        general: { positionEncodings: ['utf-16'] },
        textDocument: { publishDiagnostics: { versionSupport: true }, ...(pull ? { diagnostic: {} } : {}) },
        workspace: {
          configuration: true,
          workspaceFolders: true,
          ...(pull ? { diagnostics: { refreshSupport: true } } : {}),
        },
      },
    });
    const startTime = performance.now() - began;
    await connection.sendNotification('initialized', {});
    if (settings) await connection.sendNotification('workspace/didChangeConfiguration', { settings });
    const sync = capabilities.textDocumentSync;
    return body({
      pid: child.pid ?? 0,
      pull,
      sendsWholeText: (typeof sync === 'object' ? sync.change : sync) === TextDocumentSyncKind.Full,
      connection,
      startTime,
      published: (uri, version) =>
        new Promise((resolve) => {
          const heard = (params: PublishDiagnosticsParams): void => {
            if (params.uri !== uri || (params.version ?? version) < version) return;
            waiting.delete(heard);
            resolve();
          };
          waiting.add(heard);
        }),
      output: () => output,
    });
  };
  try {
    return await Promise.race([session(), failed]);
  } finally {
    timeout.abort();
    const end = connection.sendRequest('shutdown').then(() => connection.sendNotification('exit'));
    await Promise.race([end.then(() => closed), sleep(3000)]).catch(() => {});
    child.kill('SIGKILL');
    await closed;
    connection.dispose();
  }
}
