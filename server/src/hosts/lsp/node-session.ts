/** Opens a session in Node. */

import { openDiskPlace } from '../node/disk-folder.ts';
import { nodeFiles } from '../node/node-files.ts';
import { startNodeWorker } from '../node/node-worker.ts';
import { handleInstall, handleInstalled, handlePack } from './handlers/packing.ts';
import { handlePull } from './handlers/pull.ts';
import { handleEditorTools } from './handlers/tools.ts';
import { openSession as openIn } from './open-session.ts';
import { readOptions } from './options.ts';
import type { OpenSession } from './serve.ts';

export const openSession: OpenSession = (connection, params) => {
  const { options } = readOptions(params.initializationOptions);
  const session = openIn(connection, params, { files: nodeFiles, startWorker: startNodeWorker() });
  handleEditorTools(connection, session);
  handleInstall(connection, session, openDiskPlace, options.trusted === true);
  handleInstalled(connection, session, openDiskPlace);
  handlePack(connection, openDiskPlace);
  handlePull(connection, session, { trusted: options.trusted === true });
};
