/**
 * Starts a language server. The server first answers `initialize`, which the client waits for, and then loads the
 * core, which contains most of the code.
 */

import type * as library from 'vscode-languageserver';
import type { Connection, InitializeParams, MessageStrategy } from 'vscode-languageserver';
import type { InitializationOptions } from '../../protocol.ts';
import { initializeResult } from './capabilities.ts';
import { readOptions } from './options.ts';

/** Registers all handlers on the connection before it returns. */
export type OpenSession = (connection: Connection, params: InitializeParams) => void;

/**
 * Serves one connection. `connect` makes a connection that passes every message to the strategy. `loadCore` is
 * synchronous, so a message that arrives before the reply to `initialize` is written loads the core and finds its
 * handler.
 */
export function serve(
  connect: (messageStrategy: MessageStrategy) => Connection,
  loadCore: (options: InitializationOptions) => OpenSession,
): Connection {
  let open: (() => void) | undefined;
  const connection = connect({
    handleMessage(message, handle) {
      open?.();
      const handled = handle(message);
      // After `initialize`, load the core once the reply is written.
      if (open) {
        const ignore = () => {};
        void Promise.resolve(handled)
          .then(ignore, ignore)
          .then(() => open?.());
      }
      return handled;
    },
  });
  connection.onInitialize((params) => {
    const { options } = readOptions(params.initializationOptions);
    open = () => {
      open = undefined;
      loadCore(options)(connection, params);
    };
    return initializeResult(options, params);
  });
  connection.listen();
  return connection;
}

// Scripts exchange values through the global object, because a web worker cannot load a module synchronously. The second
// script uses the first script's copy of the protocol library (`client/build.mjs`), so that each class of the library
// exists once.

/** The code in the second script (`frontends/core.ts`). Nothing of it is executed before one of these functions is called. */
interface Core {
  readonly openSession: () => OpenSession;
  /** The modules that the command line loads for a command, by their paths. */
  readonly commands: () => object;
}

interface Shared {
  skillComposerLibrary?: typeof library;
  skillComposerCore?: Core;
}

const shared = globalThis as Shared;

/** Called by the first script, before it loads the second. */
export function shareLibrary(all: typeof library): void {
  shared.skillComposerLibrary = all;
}

/** Called by the second script. */
export function provideCore(core: Core): void {
  shared.skillComposerCore = core;
}

/** Called by the first script, after the second has run. */
export function takeCore(): OpenSession {
  if (!shared.skillComposerCore) throw new Error('The script `core.js` belongs to another version of the server.');
  return shared.skillComposerCore.openSession();
}
