/** A composing worker, whichever kind of thread it is. */
import type { Answer, Job } from './messages.ts';

export interface ComposeWorker {
  /** Throws where the job is no plain data. */
  post(job: Job): void;
  /** Stops it at once, whatever it does. It causes no events afterwards. */
  end(): void;
}

interface WorkerEvents {
  answer(answer: Answer): void;
  /** The worker has ended by itself; `message` gives the cause, for logs. */
  died(reason: 'memory' | 'crash', message: string): void;
}

/** Starts a worker; throws where there can be none. */
export type StartWorker = (events: WorkerEvents) => ComposeWorker;
