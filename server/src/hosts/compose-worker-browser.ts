/** The composing worker as a web worker. */
import type { Job } from './composing/messages.ts';
import { serveJobs } from './composing/serve.ts';

declare const self: Worker;

const receive = serveJobs((answer) => self.postMessage(answer));
self.onmessage = ({ data }: MessageEvent<Job>) => receive(data);
