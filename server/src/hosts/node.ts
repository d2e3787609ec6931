/** The language server as a process: over `--stdio`, or over IPC when an editor forks it. */
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from './lsp.ts';
import { nodeFiles } from './node-files.ts';

serve(createConnection(ProposedFeatures.all), nodeFiles);
