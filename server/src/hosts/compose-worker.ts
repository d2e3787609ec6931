/** The composing worker as a thread of Node's. */
import { parentPort } from 'node:worker_threads';
import { serveJobs } from './composing/serve.ts';

parentPort?.on(
  'message',
  serveJobs((answer) => parentPort?.postMessage(answer)),
);
