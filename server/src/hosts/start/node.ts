/** The language server as a process: over `--stdio`, or over IPC when an editor forks it. */
import { Console } from 'node:console';
import * as library from 'vscode-languageserver';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { shareLibrary, takeCore } from './core-script.ts';
import { serve } from './serve.ts';

/** The script beside this one, which the bundler leaves where it is. */
declare const require: (script: './core.js') => unknown;

shareLibrary(library);
serve(
  (messageStrategy) => {
    // What a library printed would stand amid the protocol.
    if (process.argv.includes('--stdio')) globalThis.console = new Console(process.stderr);
    return createConnection(ProposedFeatures.all, { messageStrategy });
  },
  () => {
    require('./core.js');
    return takeCore();
  },
);
