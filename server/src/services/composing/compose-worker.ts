/** The script of the composing worker: a Node thread or a web worker. */
import type { MessagePort } from 'node:worker_threads';
import { isNode } from '../../io/environment.ts';
import { type Runner, serveJobs } from './serve.ts';
import type { Job, WorkerAnswer } from './worker.ts';

/** In a web worker, `runScript` is the address of the script that runs skills. */
declare const self: Worker & { readonly runScript?: string; readonly skillComposerRun?: Runner };
declare const importScripts: (script: string) => void;
/** Exists only in Node. */
declare function require(module: 'node:worker_threads'): { readonly parentPort: MessagePort | null };
declare function require(module: './run.js'): unknown;

if (isNode()) {
  const { parentPort } = require('node:worker_threads');
  const send = (answer: WorkerAnswer): void => parentPort?.postMessage(answer);
  parentPort?.on(
    'message',
    serveJobs(send, () => loaded(() => require('./run.js'))),
  );
} else {
  const { runScript } = self;
  const receive = serveJobs(
    (answer) => self.postMessage(answer),
    () => loaded(() => importScripts(runScript ?? '')),
  );
  self.onmessage = ({ data }: MessageEvent<Job>) => receive(data);
}

/** Returns the function that the script sets; loads the script only once. */
function loaded(load: () => unknown): Runner {
  const scope = globalThis as Pick<typeof self, 'skillComposerRun'>;
  if (!scope.skillComposerRun) load();
  if (!scope.skillComposerRun) throw new Error('The script `run.js` does not contain the function that runs skills.');
  return scope.skillComposerRun;
}
