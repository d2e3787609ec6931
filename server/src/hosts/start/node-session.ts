/** A session in Node. */
import { startNodeWorker } from '../composing/node-worker.ts';
import { nodeFiles } from '../disk/node-files.ts';
import { openSession as openIn } from '../handlers/open-session.ts';
import { openDiskPlace } from '../packing/disk-place.ts';
import { handleInstall } from '../packing/handle-install.ts';
import { handleInstalled } from '../packing/handle-installed.ts';
import { handlePack } from '../packing/handle-pack.ts';
import { handleEditorTools } from '../tools/handle-editor-tools.ts';
import { handlePull } from '../tools/handle-pull.ts';
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
