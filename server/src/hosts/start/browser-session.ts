/** A session in a web worker. */
import { type ToolServersReply, ToolServersRequest } from '../../protocol.ts';
import { startWebWorker } from '../composing/web-worker.ts';
import { clientFiles } from '../disk/client-files.ts';
import { openSession as openIn } from '../handlers/open-session.ts';
import { handleEditorTools } from '../tools/handle-editor-tools.ts';
import { readOptions } from './options.ts';
import type { OpenSession } from './serve.ts';

export const openSession: OpenSession = (connection, params) => {
  const { composeWorker } = readOptions(params.initializationOptions).options;
  const surroundings = { files: clientFiles(connection), startWorker: startWebWorker(composeWorker) };
  handleEditorTools(connection, openIn(connection, params, surroundings));
  connection.onRequest<ToolServersReply, void>(ToolServersRequest, () => ({
    problem:
      'Nothing can be started in a browser: run `skill-composer tools pull` where the servers are, and commit the snapshot.',
  }));
};
