/** A session in Node. */
import { startNodeWorker } from './composing/node-worker.ts';
import { createNodeStore } from './index-cache/node-store.ts';
import type { OpenSession } from './lsp.ts';
import { nodeFiles } from './node-files.ts';
import { openSession as openIn } from './open-session.ts';

export const openSession: OpenSession = (connection, params) =>
  openIn(connection, params, { files: nodeFiles, startWorker: startNodeWorker(), cache: createNodeStore() });
