/** A session in a web worker. */
import { startWebWorker } from '../composing/web-worker.ts';
import { clientFiles } from '../disk/client-files.ts';
import { openSession as openIn } from '../handlers/open-session.ts';
import { readOptions } from './options.ts';
import type { OpenSession } from './serve.ts';

export const openSession: OpenSession = (connection, params) => {
  const { composeWorker } = readOptions(params.initializationOptions).options;
  openIn(connection, params, { files: clientFiles(connection), startWorker: startWebWorker(composeWorker) });
};
