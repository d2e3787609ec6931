/** A session in a web worker. */
import { type ToolServersReply, ToolServersRequest } from '../../protocol.ts';
import { startWebWorker } from '../composing/web-worker.ts';
import { clientFiles } from '../disk/client-files.ts';
import { openSession as openIn } from '../handlers/open-session.ts';
import { clientPlace } from '../packing/client-place.ts';
import { handleInstall } from '../packing/handle-install.ts';
import { handleInstalled } from '../packing/handle-installed.ts';
import { handlePack } from '../packing/handle-pack.ts';
import { handleEditorTools } from '../tools/handle-editor-tools.ts';
import { readOptions } from './options.ts';
import type { OpenSession } from './serve.ts';

export const openSession: OpenSession = (connection, params) => {
  const { composeWorker, trusted } = readOptions(params.initializationOptions).options;
  const surroundings = { files: clientFiles(connection), startWorker: startWebWorker(composeWorker) };
  const session = openIn(connection, params, surroundings);
  const place = clientPlace(connection);
  handleEditorTools(connection, session);
  handleInstall(connection, session, place, trusted === true);
  handleInstalled(connection, session, place);
  handlePack(connection, place);
  connection.onRequest<ToolServersReply, void>(ToolServersRequest, () => ({
    problem:
      'Nothing can be started in a browser: run `skill-composer tools pull` where the servers are, and commit the snapshot.',
  }));
};
