/** A composing worker as `Composing` sees it, whichever kind of thread it is. */
import type { Answer, Job } from './messages.ts';

export interface ComposeWorker {
  /** Throws where the job is no plain data. */
  post(job: Job): void;
  /** Stops it at once, in the midst of whatever it does. Nothing is heard of it afterwards. */
  end(): void;
}

export interface WorkerEvents {
  answer(answer: Answer): void;
  /** The worker is dead. `message` says of what, for logs. */
  died(reason: 'memory' | 'crash', message: string): void;
}

/** Starts a worker; throws where there can be none. */
export type StartWorker = (events: WorkerEvents) => ComposeWorker;
