/**
 * What the two scripts of the language server pass to each other, by the global object: a worker in a browser cannot load a
 * module synchronously. The second script takes the protocol's library from the first (`client/build.mjs`), so that each
 * class of the library exists once.
 */
import type * as library from 'vscode-languageserver';
import type { OpenSession } from './serve.ts';

interface Shared {
  skillComposerLibrary?: typeof library;
  skillComposerCore?: OpenSession;
}

const shared = globalThis as Shared;

/** Called by the first script, before it loads the second. */
export function shareLibrary(all: typeof library): void {
  shared.skillComposerLibrary = all;
}

/** Called by the second script. */
export function handOver(openSession: OpenSession): void {
  shared.skillComposerCore = openSession;
}

/** Called by the first script, after the second has run. */
export function takeCore(): OpenSession {
  if (!shared.skillComposerCore) throw new Error('The script `core.js` is not the one of this server.');
  return shared.skillComposerCore;
}
