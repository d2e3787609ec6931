/** The language server as a process: over `--stdio`, or over IPC when an editor forks it. */
import { setFlagsFromString } from 'node:v8';
import * as library from 'vscode-languageserver';
import { createConnection, ProposedFeatures, StreamMessageReader } from 'vscode-languageserver/node';
import { shareLibrary, takeCore } from './core-script.ts';
import { serve } from './lsp.ts';
import { WholeMessageWriter } from './whole-messages.ts';

/** The script beside this one, which the bundler leaves where it is. */
declare const require: (script: './core.js') => unknown;

// Checking a workspace leaves much behind, and left to itself the engine lets its heap grow to four times what is in
// use before it looks. This halves the memory for a tenth more work, which is done beside the editor's.
setFlagsFromString('--heap-growing-percent=50');

shareLibrary(library);
serve(
  (messageStrategy) => {
    const options = { messageStrategy };
    // Any other way to speak than the standard streams the library sets up by itself.
    if (!process.argv.includes('--stdio')) return createConnection(ProposedFeatures.all, options);
    return createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(process.stdin),
      new WholeMessageWriter(process.stdout),
      options,
    );
  },
  () => {
    require('./core.js');
    return takeCore();
  },
);
