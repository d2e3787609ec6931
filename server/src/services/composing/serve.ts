/** Runs in the composing worker and answers every job. Only workers import this file, because it loads the composer. */
import { createComposer } from '../../composer/compose.ts';
import type { AskMore, RunReply, RunRequest, RunResult } from '../../protocol.ts';
import type { Job, JobResult, WorkerAnswer } from './worker.ts';

type Composer = ReturnType<typeof createComposer>;

/** Runs a skill; the script with this function is large, and is loaded for the first run. */
export type Runner = (request: RunRequest, composer: Composer, askMore?: AskMore) => Promise<RunResult>;

/** Returns the function that receives jobs. The time limit starts after `ready` is sent, when all tables are loaded. */
export function serveJobs(send: (answer: WorkerAnswer) => void, loadRunner: () => Runner): (job: Job) => Promise<void> {
  const composer = createComposer();
  let reply: ((reply: RunReply | undefined) => void) | undefined;
  const askMore: AskMore = (query, events) =>
    new Promise((done) => {
      reply = done;
      send({ kind: 'asking', query, events });
    });
  const take = async (job: Exclude<Job, { kind: 'reply' }>): Promise<JobResult> => {
    const begun = performance.now();
    if (job.kind === 'count') return { kind: 'counted', counts: job.texts.map((text) => composer.count(text)) };
    if (job.kind === 'evaluate') return { kind: 'evaluated', results: job.questions.map(composer.evaluate) };
    if (job.kind === 'run') {
      return { kind: 'ran', result: await loadRunner()(job.request, composer, job.asks ? askMore : undefined) };
    }
    const result = composer.compose(job.request);
    return { kind: 'composed', result, milliseconds: performance.now() - begun };
  };
  send({ kind: 'ready' });
  return async (job) => {
    if (job.kind === 'reply') return reply?.(job.reply);
    try {
      send(await take(job));
    } catch (error) {
      if (error instanceof RangeError) send({ kind: 'exhausted' });
      else send({ kind: 'crashed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  };
}
