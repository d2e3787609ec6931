/** The language server as a process: over `--stdio`, or over IPC when an editor forks it. */
import { Console } from 'node:console';
import { setFlagsFromString } from 'node:v8';
import * as library from 'vscode-languageserver';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { shareLibrary, takeCore } from './core-script.ts';
import { serve } from './lsp.ts';
import { WholeMessageWriter } from './whole-messages.ts';

/** The script beside this one, which the bundler leaves where it is. */
declare const require: (script: './core.js') => unknown;

// Checking a workspace leaves much behind, and left to itself the engine lets its heap grow to four times what is in
// use before it looks. This halves the memory for a tenth more work, which is done beside the editor's.
setFlagsFromString('--heap-growing-percent=50');
// Code that runs once for each key typed is not worth much optimizing: of 3.3 ms on all processors for an edit, 1.4 went
// into compiling what had little left to do. Three times as patient, the engine spends half of that.
setFlagsFromString('--interrupt-budget=200000');
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
    // The library takes a writer where it expects a stream, and watches the input's end only where it is a stream.
    const output = new WholeMessageWriter(process.stdout) as unknown as NodeJS.WritableStream;
    return createConnection(ProposedFeatures.all, process.stdin, output, options);
  },
  () => {
    require('./core.js');
    return takeCore();
  },
);
