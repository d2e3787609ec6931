/** The language server as a process: over `--stdio`, or over IPC when an editor forks it. */
import { Console } from 'node:console';
import * as library from 'vscode-languageserver';
import {
  createConnection,
  IPCMessageReader,
  IPCMessageWriter,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { traceOf } from '../session/trace.ts';
import { guardReader } from './guarded-reader.ts';
import { inOneSpelling } from './one-spelling.ts';
import { serve, shareLibrary, takeCore } from './serve.ts';

/** The bundler leaves this script beside the other one. */
declare const require: (script: './core.js') => unknown;

// What is printed must not go to the protocol's stream.
const console = new Console(process.stderr);
globalThis.console = console;

function openTransport() {
  if (process.argv.includes('--node-ipc'))
    return [new IPCMessageReader(process), new IPCMessageWriter(process)] as const;
  const reader = new StreamMessageReader(process.stdin);
  reader.onError((error) => {
    // A body that is no JSON is answered; behind a broken header nobody knows where the next message begins.
    if (error instanceof SyntaxError) return;
    console.error(`The input cannot be read on: ${error.message}`);
    process.exit(1);
  });
  return [reader, new StreamMessageWriter(process.stdout)] as const;
}

shareLibrary(library);
const [input, output] = openTransport();
const { reader: spelled, writer } = inOneSpelling(input, output);
const reader = guardReader(spelled, writer, (line) => console.error(line));
const end = (): void => process.exit(reader.isShutDown() ? 0 : 1);
input.onClose(end);
if (input instanceof StreamMessageReader) process.stdin.on('end', end);

const connection = serve(
  (messageStrategy) => createConnection(ProposedFeatures.all, reader, writer, { messageStrategy }),
  () => {
    require('./core.js');
    return takeCore();
  },
);
/** A fault that nobody has caught costs what it happened in, never the server; without its client the server is of no use. */
const survive = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE') process.exit(1);
  connection.console.error(`A fault of the server, please report it: ${traceOf(error)}`);
};
process.on('unhandledRejection', survive);
process.on('uncaughtException', survive);
