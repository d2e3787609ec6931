/** A session in Node. */
import { startNodeWorker } from '../composing/node-worker.ts';
import { nodeFiles } from '../disk/node-files.ts';
import { openSession as openIn } from '../handlers/open-session.ts';
import { handleInstall } from '../packing/handle-install.ts';
import { handleEditorTools } from '../tools/handle-editor-tools.ts';
import { handlePull } from '../tools/handle-pull.ts';
import { readOptions } from './options.ts';
import type { OpenSession } from './serve.ts';

export const openSession: OpenSession = (connection, params) => {
  const { options } = readOptions(params.initializationOptions);
  const session = openIn(connection, params, { files: nodeFiles, startWorker: startNodeWorker() });
  handleEditorTools(connection, session);
  handleInstall(connection, session, options.trusted === true);
  handlePull(connection, session, { trusted: options.trusted === true });
};
