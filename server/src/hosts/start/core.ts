/**
 * The core with its wiring: all that is not needed to answer `initialize`. One script for Node and for browsers, which the
 * first script (`server.ts`) loads; of these files only the one that is asked for is run.
 */
import { handOver } from './core-script.ts';
import { isNode } from './is-node.ts';
import type { OpenSession } from './serve.ts';

/** The bundler puts the files in, to be run when they are asked for. */
declare const require: (file: './node-session.ts' | './browser-session.ts') => { readonly openSession: OpenSession };

handOver((isNode() ? require('./node-session.ts') : require('./browser-session.ts')).openSession);
