/** The language server as a web worker. */
import * as library from 'vscode-languageserver';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { traceOf } from '../../io/user-error.ts';
import { guardReader } from './guarded-reader.ts';
import { withNormalizedUris } from './normalize-uris.ts';
import { serve, shareLibrary, takeCore } from './serve.ts';

declare const self: Worker & { readonly location: { readonly href: string } };
declare const importScripts: (script: string) => void;

shareLibrary(library);
const { reader: spelled, writer } = withNormalizedUris(
  new BrowserMessageReader(self as never),
  new BrowserMessageWriter(self as never),
);
const reader = guardReader(spelled, writer, (line) => console.error(line));
const connection = serve(
  (messageStrategy) => createConnection(ProposedFeatures.all, reader, writer, { messageStrategy }),
  // An editor may start this script from a blob, whose URL does not lead to `core.js`.
  ({ coreScript }) => {
    importScripts(coreScript ?? new URL('core.js', self.location.href).href);
    return takeCore();
  },
);
/** Logs an uncaught error and keeps the server running. */
const survive = (event: Event, error: unknown): void => {
  event.preventDefault();
  connection.console.error(`Server error, please report it: ${traceOf(error)}`);
};
self.addEventListener('unhandledrejection', (event) => survive(event, (event as PromiseRejectionEvent).reason));
self.addEventListener('error', (event) => survive(event, (event as ErrorEvent).error));
