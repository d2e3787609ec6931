/** The language server as a web worker. */
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { clientFiles } from './client-files.ts';
import { startWebWorker } from './composing/web-worker.ts';
import { serve } from './lsp.ts';

declare const self: Worker;

const connection = createConnection(
  ProposedFeatures.all,
  new BrowserMessageReader(self as never),
  new BrowserMessageWriter(self as never),
);
serve(connection, clientFiles(connection), ({ composeWorker }) => startWebWorker(composeWorker));
