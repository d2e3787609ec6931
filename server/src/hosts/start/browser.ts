/** The language server as a web worker. */
import * as library from 'vscode-languageserver';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { traceOf } from '../session/trace.ts';
import { shareLibrary, takeCore } from './core-script.ts';
import { guardReader } from './guarded-reader.ts';
import { serve } from './serve.ts';

declare const self: Worker & { readonly location: { readonly href: string } };
declare const importScripts: (script: string) => void;

shareLibrary(library);
const writer = new BrowserMessageWriter(self as never);
const reader = guardReader(new BrowserMessageReader(self as never), writer, (line) => console.error(line));
const connection = serve(
  (messageStrategy) => createConnection(ProposedFeatures.all, reader, writer, { messageStrategy }),
  // An editor may start this script from a blob, whose address is not that of the scripts.
  ({ composeWorker }) => {
    importScripts(new URL('core.js', composeWorker ?? self.location.href).href);
    return takeCore();
  },
);
// A fault that nobody has caught costs what it happened in, and is told.
self.addEventListener('unhandledrejection', (event) => {
  const { reason } = event as PromiseRejectionEvent;
  connection.console.error(`A fault of the server, please report it: ${traceOf(reason)}`);
});
