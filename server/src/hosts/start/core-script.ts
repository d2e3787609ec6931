/**
 * What the two scripts of the language server hand to each other. They share nothing but the global object: a worker in a
 * browser has no modules that it could load at once. `client/build.mjs` has the second take the protocol's library from
 * the first, so that there is one, and one class of its errors.
 */
import type * as library from 'vscode-languageserver';
import type { OpenSession } from './serve.ts';

interface Shared {
  skillComposerLibrary?: typeof library;
  skillComposerCore?: OpenSession;
}

const shared = globalThis as Shared;

/** By the first script, before it loads the second. */
export function shareLibrary(all: typeof library): void {
  shared.skillComposerLibrary = all;
}

/** By the second script. */
export function handOver(openSession: OpenSession): void {
  shared.skillComposerCore = openSession;
}

/** By the first script, when the second has run. */
export function takeCore(): OpenSession {
  if (!shared.skillComposerCore) throw new Error('The script `core.js` is not the one of this server.');
  return shared.skillComposerCore;
}
