/** The language server as a process: over `--stdio`, or over IPC when an editor forks it. */
import { Console } from 'node:console';
import { setFlagsFromString } from 'node:v8';
import * as library from 'vscode-languageserver';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { shareLibrary, takeCore } from './core-script.ts';
import { serve } from './lsp.ts';
import { WholeMessageReader, WholeMessageWriter } from './whole-messages.ts';

/** The script beside this one, which the bundler leaves where it is. */
declare const require: (script: './core.js') => unknown;

// Code that runs once for each key typed is not worth much optimizing: of 3.3 ms on all processors for an edit, 1.4 went
// into compiling what had little left to do, and of 4.2 s for 1,000 files 1.3. Six times as patient, the engine spends a
// third of that; what is left to gain in a long file is not lost.
setFlagsFromString('--interrupt-budget=400000');
// What outlived one keystroke once is not made among the old from then on, where it would wait for a full collection.
setFlagsFromString('--no-allocation-site-pretenuring');

shareLibrary(library);
serve(
  (messageStrategy) => {
    const options = { messageStrategy };
    // Every other way to speak the library sets up by itself.
    if (!process.argv.includes('--stdio')) return createConnection(ProposedFeatures.all, options);
    // What a library printed would stand amid the protocol.
    globalThis.console = new Console(process.stderr);
    const [input, output] = [new WholeMessageReader(process.stdin), new WholeMessageWriter(process.stdout)];
    return createConnection(ProposedFeatures.all, input, output, options);
  },
  () => {
    require('./core.js');
    return takeCore();
  },
);
