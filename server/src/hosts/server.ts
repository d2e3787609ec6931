/**
 * The language server and its composing worker, wherever they run. One bundle for Node and for browsers, since nearly all
 * of it is the same; of these files only the one that is asked for is run. The .vsix has 480 KB of it, where a bundle for
 * each host takes 865, and one for the worker 95 more.
 */
import { isNode } from './is-node.ts';

/** The bundler puts the files in, to be run when they are asked for. */
declare const require: (file: './compose-worker.ts' | './node.ts' | './browser.ts') => unknown;

// The worker's own script puts the engine and the tokens there, and then runs this one.
if ('skillComposerData' in globalThis) require('./compose-worker.ts');
else if (isNode()) require('./node.ts');
else require('./browser.ts');
