/** Opens a session in a web worker. */
import { onRequest, ToolServersRequest } from '../../protocol.ts';
import { clientFiles } from './client-files.ts';
import { clientFolderAccess } from './client-folder.ts';
import { handleInstall, handleInstalled, handlePack } from './handlers/packing.ts';
import { handleEditorTools } from './handlers/tools.ts';
import { openSession as openIn } from './open-session.ts';
import { readOptions } from './options.ts';
import type { OpenSession } from './serve.ts';
import { startWebWorker } from './web-worker.ts';

export const openSession: OpenSession = (connection, params) => {
  const { composeWorker, trusted } = readOptions(params.initializationOptions).options;
  const services = { files: clientFiles(connection), startWorker: startWebWorker(composeWorker) };
  const session = openIn(connection, params, services);
  const place = clientFolderAccess(connection);
  handleEditorTools(connection, session);
  handleInstall(connection, session, place, trusted === true);
  handleInstalled(connection, session, place);
  handlePack(connection, place);
  onRequest(connection, ToolServersRequest, () => ({
    problem: 'A browser cannot start servers. Run `skill-composer tools pull` on the desktop, and commit the snapshot.',
  }));
};
