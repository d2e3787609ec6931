/** The worker's side of composing: answers every job. Imported by the workers alone, since it brings the whole composer. */
import { createComposer } from '../../composer/compose.ts';
import type { Job, WorkerAnswer } from './worker.ts';

/** Gives the function that receives the jobs. Time counts only once `ready` is sent, when all tables are set up. */
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
