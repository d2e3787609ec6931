/** The language server as a process: over `--stdio`, or over IPC when an editor forks it. */
import { Console } from 'node:console';
import * as library from 'vscode-languageserver';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { shareLibrary, takeCore } from './core-script.ts';
import { serve } from './serve.ts';

/** The bundler leaves this script beside the other one. */
declare const require: (script: './core.js') => unknown;

shareLibrary(library);
serve(
  (messageStrategy) => {
    // What a library prints must not go to the protocol's stream.
    if (process.argv.includes('--stdio')) globalThis.console = new Console(process.stderr);
    return createConnection(ProposedFeatures.all, { messageStrategy });
  },
  () => {
    require('./core.js');
    return takeCore();
  },
);
