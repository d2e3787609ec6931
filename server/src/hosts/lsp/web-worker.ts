/** Runs the composing worker in a browser, inside the worker of the server. */
import type { StartWorker, WorkerAnswer } from '../composing/worker.ts';

/**
 * Returns a function that starts the worker, and throws if nested workers are unsupported or the script is unknown.
 */
export const startWebWorker =
  (script: string | undefined): StartWorker =>
  ({ answer, died }) => {
    if (script === undefined) {
      throw new Error('the client did not pass the address of its script (initialization option `composeWorker`).');
    }
    if (typeof Worker === 'undefined') throw new Error('this browser does not support nested workers.');
    const worker = new Worker(scriptOfOwnOrigin(script));
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
const scriptOfOwnOrigin = (script: string): string =>
  URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(script)});`], { type: 'text/javascript' }));
