/**
 * The beginning of a language server: it answers `initialize` and only then loads the core, which is nine tenths of the
 * code. A client waits for this answer, and nothing in it depends on the core: of the 110 ms that a start took beside Node's
 * own 60, the core was 80.
 */
import type { Connection, InitializeParams, MessageStrategy } from 'vscode-languageserver';
import type { InitializationOptions } from '../../protocol.ts';
import { initializeResult } from './capabilities.ts';

/** Has all handlers on the connection when it returns. */
export type OpenSession = (connection: Connection, params: InitializeParams) => void;

/**
 * `connect` makes a connection that asks the strategy about every message. `loadCore` is synchronous, so that no message
 * can come in between: one that comes before the answer is written loads the core itself, and finds its handler there.
 */
export function serve(
  connect: (messageStrategy: MessageStrategy) => Connection,
  loadCore: (options: InitializationOptions) => OpenSession,
): void {
  let open: (() => void) | undefined;
  const connection = connect({
    handleMessage(message, handle) {
      open?.();
      const handled = handle(message);
      // Only `initialize` makes something to open, and is handled when its answer is written.
      if (open) {
        const isOver = () => {};
        void Promise.resolve(handled)
          .then(isOver, isOver)
          .then(() => open?.());
      }
      return handled;
    },
  });
  connection.onInitialize((params) => {
    const options = (params.initializationOptions ?? {}) as InitializationOptions;
    open = () => {
      open = undefined;
      loadCore(options)(connection, params);
    };
    return initializeResult(options, params.capabilities);
  });
  connection.listen();
}
