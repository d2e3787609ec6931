/** Opens a session in a web worker. The composing worker runs inside this worker. */
import { ToolServersRequest } from '../../protocol.ts';
import type { StartWorker, WorkerAnswer } from '../../services/composing/worker.ts';
import { clientFiles, clientFoldersIn } from './client-files.ts';
import { ClientRequests } from './client-requests.ts';
import { onRequest } from './handlers/guard.ts';
import { handleEmit, handleInstall, handleInstalled, handlePack } from './handlers/packing.ts';
import { handleEditorTools } from './handlers/tools.ts';
import { openSession as openIn } from './open-session.ts';
import { readOptions } from './options.ts';
import type { OpenSession } from './serve.ts';

export const openSession: OpenSession = (connection, params) => {
  const { composeWorker, runScript, trusted } = readOptions(params.initializationOptions).options;
  const services = {
    files: clientFiles(new ClientRequests(connection)),
    startWorker: startWebWorker(composeWorker, runScript),
  };
  const session = openIn(connection, params, services);
  const openFolder = clientFoldersIn(connection, () => session.analysis.index.graph.roots);
  handleEditorTools(connection, session, openFolder);
  handleInstall(connection, session, openFolder, trusted === true);
  handleInstalled(connection, session, openFolder);
  handlePack(connection, openFolder);
  handleEmit(connection, session, openFolder, { trusted: trusted === true, home: undefined });
  onRequest(connection, ToolServersRequest, () => ({
    problem: 'A browser cannot start servers. Run `skill-composer tools pull` on the desktop, and commit the snapshot.',
  }));
};

/**
 * Returns a function that starts the worker, and throws if nested workers are unsupported or the script is unknown.
 */
export const startWebWorker =
  (script: string | undefined, runScript?: string): StartWorker =>
  ({ answer, died }) => {
    if (script === undefined) {
      throw new Error('the client did not pass the address of its script (initialization option `composeWorker`).');
    }
    if (typeof Worker === 'undefined') throw new Error('this browser does not support nested workers.');
    const worker = new Worker(scriptOfOwnOrigin(script, runScript));
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => answer(data);
    worker.onerror = (event) => {
      event.preventDefault();
      died('crash', event.message || `the script ${script} could not be loaded.`);
    };
    return {
      post: (job) => worker.postMessage(job),
      end() {
        worker.onmessage = null;
        worker.onerror = null;
        worker.terminate();
      },
    };
  };

/**
 * Wraps the script, because an extension and the editor have different origins, and a worker's script must have the
 * origin of the code that starts it.
 */
function scriptOfOwnOrigin(script: string, runScript: string | undefined): string {
  const run = runScript === undefined ? '' : `self.runScript = ${JSON.stringify(runScript)}; `;
  return URL.createObjectURL(
    new Blob([`${run}importScripts(${JSON.stringify(script)});`], { type: 'text/javascript' }),
  );
}
