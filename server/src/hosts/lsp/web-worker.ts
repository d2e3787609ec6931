/** Runs the composing worker in a browser, within the worker that is the server. */
import type { StartWorker, WorkerAnswer } from '../composing/worker.ts';

/** Starting throws in a browser that nests no workers, and where the address of the script is unknown. */
export const startWebWorker =
  (script: string | undefined): StartWorker =>
  ({ answer, died }) => {
    if (script === undefined) {
      throw new Error('the client did not say where its script is (`composeWorker` of the initialization options).');
    }
    if (typeof Worker === 'undefined') throw new Error('this browser starts no worker from within a worker.');
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

/** Extensions are served from another origin than the editor, and a worker's first script must be of its own. */
const scriptOfOwnOrigin = (script: string): string =>
  URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(script)});`], { type: 'text/javascript' }));
