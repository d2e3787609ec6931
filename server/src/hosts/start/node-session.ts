/** A session in Node. */
import { startNodeWorker } from '../composing/node-worker.ts';
import { nodeFiles } from '../disk/node-files.ts';
import { openSession as openIn } from '../handlers/open-session.ts';
import type { OpenSession } from './serve.ts';

export const openSession: OpenSession = (connection, params) =>
  openIn(connection, params, { files: nodeFiles, startWorker: startNodeWorker() });
