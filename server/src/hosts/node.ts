/** The language server as a process: over `--stdio`, or over IPC when an editor forks it. */
import { setFlagsFromString } from 'node:v8';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { startNodeWorker } from './composing/node-worker.ts';
import { serve } from './lsp.ts';
import { nodeFiles } from './node-files.ts';

// Checking a workspace leaves much behind, and left to itself the engine lets its heap grow to four times what is in
// use before it looks. This halves the memory for a tenth more work, which is done beside the editor's.
setFlagsFromString('--heap-growing-percent=50');

serve(createConnection(ProposedFeatures.all), nodeFiles, () => startNodeWorker());
