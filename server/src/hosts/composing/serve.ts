/** The worker's side of composing: answers every job. Imported by the workers alone, since it brings the whole composer. */
import { compose } from '../../composer/compose.ts';
import { countTokens } from '../../composer/tokens.ts';
import type { Answer, Job } from './messages.ts';

/** Gives what receives the jobs. */
export function serveJobs(send: (answer: Answer) => void): (job: Job) => void {
  // The tokenizer's tables take longer to set up than a skill takes to compose, and time counts only once all is ready.
  countTokens('a');
  send({ kind: 'ready' });
  return ({ id, request }) => {
    const begun = performance.now();
    try {
      const result = compose(request);
      send({ kind: 'composed', id, result, milliseconds: performance.now() - begun });
    } catch (error) {
      send({ kind: 'crashed', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  };
}
