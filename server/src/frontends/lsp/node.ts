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
import { traceOf } from '../../io/user-error.ts';
import { guardReader } from './guarded-reader.ts';
import { withNormalizedUris } from './normalize-uris.ts';
import { serve, shareLibrary, takeCore } from './serve.ts';

/** The bundler does not include `core.js`, which is in the same folder as this script. */
declare const require: (script: './core.js') => unknown;

// Console output must not go to stdout, which carries the protocol.
const console = new Console(process.stderr);
globalThis.console = console;

function openTransport() {
  if (process.argv.includes('--node-ipc'))
    return [new IPCMessageReader(process), new IPCMessageWriter(process)] as const;
  const reader = new StreamMessageReader(process.stdin);
  reader.onError((error) => {
    // An invalid JSON body gets a reply. After an invalid header, the start of the next message is unknown.
    if (error instanceof SyntaxError) return;
    console.error(`The input cannot be read any further: ${error.message}`);
    process.exit(1);
  });
  return [reader, new StreamMessageWriter(process.stdout)] as const;
}

shareLibrary(library);
const [input, output] = openTransport();
const { reader: spelled, writer } = withNormalizedUris(input, output);
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
/** Logs an uncaught error and keeps the server running. Ends the server if the client has closed the connection. */
const survive = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE') process.exit(1);
  connection.console.error(`Server error, please report it: ${traceOf(error)}`);
};
process.on('unhandledRejection', survive);
process.on('uncaughtException', survive);
