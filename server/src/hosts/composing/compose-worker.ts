/** The script of the composing worker: a Node thread or a web worker. */
import type { MessagePort } from 'node:worker_threads';
import { isNode } from '../environment.ts';
import { serveJobs } from './serve.ts';
import type { Job, WorkerAnswer } from './worker.ts';

declare const self: Worker;
/** Exists only in Node. */
declare const require: (module: 'node:worker_threads') => { readonly parentPort: MessagePort | null };

if (isNode()) {
  const { parentPort } = require('node:worker_threads');
  parentPort?.on(
    'message',
    serveJobs((answer) => parentPort.postMessage(answer)),
  );
} else {
  const receive = serveJobs((answer: WorkerAnswer) => self.postMessage(answer));
  self.onmessage = ({ data }: MessageEvent<Job>) => receive(data);
}
