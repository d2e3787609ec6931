/** The language server as a process: over `--stdio`, or over IPC when an editor forks it. */
import { Console } from 'node:console';
import * as library from 'vscode-languageserver';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { shareLibrary, takeCore } from './core-script.ts';
import { compileLess, tuneEngine } from './engine.ts';
import { serve } from './lsp.ts';
import { WholeMessageReader, WholeMessageWriter } from './whole-messages.ts';

/** The script beside this one, which the bundler leaves where it is. */
declare const require: (script: './core.js') => unknown;

compileLess();
// What outlived one keystroke once is not made among the old from then on, where it would wait for a full collection.
tuneEngine('--no-allocation-site-pretenuring');

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
