/** The composing worker: a thread of Node's or a web worker. */
import type { MessagePort } from 'node:worker_threads';
import type { Answer, Job } from './composing/messages.ts';
import { serveJobs } from './composing/serve.ts';
import { isNode } from './is-node.ts';

declare const self: Worker;
/** Must not be asked for where there is no Node. */
declare const require: (module: 'node:worker_threads') => { readonly parentPort: MessagePort | null };

if (isNode()) {
  const { parentPort } = require('node:worker_threads');
  parentPort?.on(
    'message',
    serveJobs((answer) => parentPort.postMessage(answer)),
  );
} else {
  const receive = serveJobs((answer: Answer) => self.postMessage(answer));
  self.onmessage = ({ data }: MessageEvent<Job>) => receive(data);
}
