/**
 * The entry point of the extension in Node and in browsers. Node and browsers use one bundle, because two bundles would
 * each contain a copy of the protocol's client library, which is the largest part.
 */
import type { activate as activateInNode } from './node.ts';

/** Resolved by the bundler. A file runs only when `require` is called for it. */
declare const require: (file: './node.ts' | './browser.ts') => { readonly activate: typeof activateInNode };

// In a browser, extensions run in a web worker.
export const { activate } = 'WorkerGlobalScope' in globalThis ? require('./browser.ts') : require('./node.ts');
