/** The composing worker as a thread of Node's, from the bundle beside the host's own. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Answer } from './messages.ts';
import type { StartWorker } from './worker.ts';

/** The engine bounds its own memory; this bounds what is made of its output. */
const HEAP_MB = 256;

/** `folder` holds the bundle; by default it is the one that the host's stands in. */
export const startNodeWorker =
  (folder: string = __dirname): StartWorker =>
  ({ answer, died }) => {
    const worker = new Worker(join(folder, 'compose-worker.js'), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // What the host writes on its standard output is a protocol, or a result.
      stdout: true,
      stderr: true,
      stdin: false,
      execArgv: [],
    });
    let isEnded = false;
    const dead = (reason: 'memory' | 'crash', message: string): void => {
      if (isEnded) return;
      isEnded = true;
      died(reason, message);
    };
    worker.on('message', (message: Answer) => {
      if (!isEnded) answer(message);
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      dead(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', error.message),
    );
    worker.on('exit', (code) => dead('crash', `it ended with ${code}`));
    // Nobody has to stay alive for a worker that waits; while it works, its deadline is what holds the process.
    worker.unref();
    return {
      post: (job) => worker.postMessage(job),
      end() {
        isEnded = true;
        void worker.terminate();
      },
    };
  };
