/** Runs in the composing worker and answers every job. Only workers import this file, because it loads the composer. */
import { createComposer } from '../../composer/compose.ts';
import type { Job, WorkerAnswer } from './worker.ts';

/** Returns the function that receives jobs. The time limit starts after `ready` is sent, when all tables are loaded. */
export function serveJobs(send: (answer: WorkerAnswer) => void): (job: Job) => void {
  const composer = createComposer();
  send({ kind: 'ready' });
  return (job) => {
    const begun = performance.now();
    try {
      if (job.kind === 'count') {
        send({ kind: 'counted', counts: job.texts.map((text) => composer.count(text)) });
        return;
      }
      const result = composer.compose(job.request);
      send({ kind: 'composed', result, milliseconds: performance.now() - begun });
    } catch (error) {
      if (error instanceof RangeError) send({ kind: 'exhausted' });
      else send({ kind: 'crashed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  };
}
