/** The language server as a web worker. */
import * as library from 'vscode-languageserver';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { shareLibrary, takeCore } from './core-script.ts';
import { serve } from './serve.ts';

declare const self: Worker & { readonly location: { readonly href: string } };
declare const importScripts: (script: string) => void;

shareLibrary(library);
serve(
  (messageStrategy) =>
    createConnection(
      ProposedFeatures.all,
      new BrowserMessageReader(self as never),
      new BrowserMessageWriter(self as never),
      { messageStrategy },
    ),
  // An editor may start this script from a blob, whose address is not that of the scripts.
  ({ composeWorker }) => {
    importScripts(new URL('core.js', composeWorker ?? self.location.href).href);
    return takeCore();
  },
);
