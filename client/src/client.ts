/**
 * The entry of the extension in Node and in browsers. They share one bundle, because most of it is the client library of the
 * protocol, which two bundles would contain twice.
 */
import type { activate as activateInNode } from './node.ts';

/** Resolved by the bundler. A file runs only when it is required. */
declare const require: (file: './node.ts' | './browser.ts') => { readonly activate: typeof activateInNode };

// In a browser, extensions run in a web worker.
export const { activate } = 'WorkerGlobalScope' in globalThis ? require('./browser.ts') : require('./node.ts');
