/**
 * The entry of the extension in both kinds of hosts. They share one bundle, since nearly all of it is the protocol's client
 * library, which two bundles would ship twice.
 */
import type { activate as activateInNode } from './node.ts';

/** Resolved by the bundler; a file runs when it is required. */
declare const require: (file: './node.ts' | './browser.ts') => { readonly activate: typeof activateInNode };

// In a browser, extensions run in a web worker.
export const { activate } = 'WorkerGlobalScope' in globalThis ? require('./browser.ts') : require('./node.ts');
