/**
 * All that is not needed to answer `initialize`: the core with its wiring, and what the composing worker runs. One script
 * for Node and for browsers, as nearly all of it is the same; of these files only the one that is asked for is run. It is
 * loaded by the first script (`server.ts`), or by the worker's own, which puts the engine and the tokens there before.
 */
import { handOver } from './core-script.ts';
import { isNode } from './is-node.ts';
import type { OpenSession } from './lsp.ts';

/** The bundler puts the files in, to be run when they are asked for. */
declare const require: {
  (file: './compose-worker.ts'): unknown;
  (file: './node-session.ts' | './browser-session.ts'): { readonly openSession: OpenSession };
};

if ('skillComposerData' in globalThis) require('./compose-worker.ts');
else handOver((isNode() ? require('./node-session.ts') : require('./browser-session.ts')).openSession);
