/**
 * The language server, wherever it runs: the first of its two scripts, with what is needed to answer `initialize`. One
 * bundle for Node and for browsers, since nearly all of it is the same; of these files only the one that is asked for is
 * run.
 */
import { isNode } from './is-node.ts';

/** The bundler puts the files in, to be run when they are asked for. */
declare const require: (file: './node.ts' | './browser.ts') => unknown;

if (isNode()) require('./node.ts');
else require('./browser.ts');
