/**
 * The extension wherever it runs. One bundle for both hosts, since nearly all of it is the client of the protocol: 115 KB
 * of a .vsix, where a bundle for each host takes 216.
 */
import type { activate as activateInNode } from './node.ts';

/** The bundler puts the files in, to be run when they are asked for. */
declare const require: (file: './node.ts' | './browser.ts') => { readonly activate: typeof activateInNode };

// In a browser, extensions run in a web worker.
export const { activate } = 'WorkerGlobalScope' in globalThis ? require('./browser.ts') : require('./node.ts');
