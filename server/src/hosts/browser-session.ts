/** A session in a web worker. */
import type { InitializationOptions } from '../protocol.ts';
import { clientFiles } from './client-files.ts';
import { startWebWorker } from './composing/web-worker.ts';
import type { OpenSession } from './lsp.ts';
import { openSession as openIn } from './open-session.ts';

export const openSession: OpenSession = (connection, params) => {
  const { composeWorker } = (params.initializationOptions ?? {}) as InitializationOptions;
  openIn(connection, params, { files: clientFiles(connection), startWorker: startWebWorker(composeWorker) });
};
