/** Runs the composing worker as a thread of Node, from the bundle beside the host's bundle. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StartWorker, WorkerAnswer } from './worker.ts';

/** The memory limit for processing the engine's output. The engine has its own limit. */
const HEAP_MB = 256;

/** Returns a function that starts the worker. `folder` contains its bundle. */
export const startNodeWorker =
  (folder: string = __dirname): StartWorker =>
  ({ answer, died }) => {
    const worker = new Worker(join(folder, 'compose-worker.js'), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      // The host's standard output carries a protocol, or a result.
      stdout: true,
      stderr: true,
      stdin: false,
      execArgv: [],
      // Variables such as `LANGSMITH_TRACING` would make LangGraph send the data of runs to a service.
      env: {},
    });
    let isEnded = false;
    const end = (reason: 'memory' | 'crash', message: string): void => {
      if (isEnded) return;
      isEnded = true;
      died(reason, message);
    };
    worker.on('message', (message: WorkerAnswer) => {
      if (!isEnded) answer(message);
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', error.message),
    );
    worker.on('exit', (code) => end('crash', `it ended with exit code ${code}`));
    // An idle worker does not keep the process alive. While it is busy, the deadline timer does.
    worker.unref();
    return {
      post: (job) => worker.postMessage(job),
      end() {
        isEnded = true;
        void worker.terminate();
      },
    };
  };
