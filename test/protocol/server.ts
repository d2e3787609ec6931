/** The language server on its standard streams, as editors start it. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  type MessageConnection,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type StarRequestHandler,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { temporaryFolder } from '../temporary.mjs';
import { runInProcess, type Script } from './in-process.ts';
import { until } from './until.ts';

export const SERVER = resolve('dist/server.js');

export interface Server {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  /** Returns the URI of a path in the workspace. */
  readonly uri: (path: string) => string;
  /** Opens a document with the text of the file, or with other text. */
  readonly open: (path: string, text?: string) => Promise<void>;
  /** Waits for the newest diagnostics of a file that `accept` returns true for. */
  readonly published: (
    path: string,
    accept?: (all: readonly Diagnostic[]) => boolean,
  ) => Promise<readonly Diagnostic[]>;
  /** The output of the server on stderr. */
  readonly stderr: () => string;
}

/** Returns a message with its header. */
export function frame(message: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Reads the messages of a server. */
export function readerOf(stream: Readable): StreamMessageReader {
  const reader = new StreamMessageReader(stream);
  // An incomplete message would start a timer that keeps the process of the tests alive.
  reader.partialMessageTimeout = 0;
  return reader;
}

const startHere = (cwd: string): Script => runInProcess(SERVER, ['--stdio'], { cwd });

/** Starts the server as a process, for tests that need a separate process. */
export function startProcess(cwd: string): Script {
  const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: 'pipe', cwd });
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  const dispose = async (): Promise<void> => void child.kill();
  return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, ended, dispose };
}

/** The longest time in milliseconds without a message from the server, also on a loaded machine. */
const limit = 20_000;

/**
 * Runs a server on a temporary workspace with `files` (text by path), runs `body`, and shuts the server down as the
 * protocol requires. Fails if the server does not end by itself. The server runs in this process, unless `start` starts
 * a process for it. `onRequest` replies to the requests of the server; by default, the client declines them.
 */
export async function withServer(
  files: Readonly<Record<string, string>>,
  body: (server: Server) => Promise<void>,
  params: Partial<InitializeParams> = {},
  start: (cwd: string) => Script = startHere,
  onRequest?: StarRequestHandler,
): Promise<void> {
  const folder = temporaryFolder(files);
  const uri = (path: string): string => pathToFileURL(join(folder, path)).href;
  const server = start(folder);
  let stderr = '';
  server.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const connection = createProtocolConnection(readerOf(server.stdout), new StreamMessageWriter(server.stdin));
  const diagnostics = new Map<string, readonly Diagnostic[]>();
  const listeners = new Set<() => void>();
  connection.onNotification(PublishDiagnosticsNotification.type, (published) => {
    diagnostics.set(published.uri, published.diagnostics);
    for (const listener of listeners) listener();
  });
  // The type of this connection lacks handlers for every method.
  if (onRequest) (connection as unknown as MessageConnection).onRequest(onRequest);
  connection.listen();
  let silence: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    silence = setTimeout(() => reject(new Error(`No message for ${limit / 1000} s.\n${stderr}`)), limit);
  });
  server.stdout.on('data', () => silence?.refresh());
  try {
    const initialized = await connection.sendRequest<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri: uri(''),
      workspaceFolders: [{ uri: uri('').replace(/\/$/, ''), name: 'workspace' }],
      capabilities: {},
      ...params,
    });
    await connection.sendNotification('initialized', {});
    const work = body({
      connection,
      initialized,
      uri,
      stderr: () => stderr,
      open: (path, text = files[path] ?? '') =>
        connection.sendNotification('textDocument/didOpen', {
          textDocument: { uri: uri(path), languageId: 'skillmd', version: 1, text },
        }),
      published: (path, accept = () => true) =>
        new Promise((resolve) => {
          const look = (): void => {
            const found = diagnostics.get(uri(path));
            if (!found || !accept(found)) return;
            listeners.delete(look);
            resolve(found);
          };
          listeners.add(look);
          look();
        }),
    });
    await Promise.race([work, hung]);
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    const code = await server.ended;
    if (code !== 0) throw new Error(`The server ended with ${code}.\n${stderr}`);
  } finally {
    clearTimeout(silence);
    connection.dispose();
    await server.dispose();
  }
}

/** Repeats a request until all files are read, because a rename is refused until then. */
export async function whenRead<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  await until('all files to be read', async () => {
    try {
      answer = await ask();
      return true;
    } catch (error) {
      if (!/still being read/.test(String(error))) throw error;
      return false;
    }
  });
  return answer as Answer;
}
