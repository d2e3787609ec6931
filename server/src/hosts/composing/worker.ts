/** The interface of a composing worker, for all kinds of threads. */
import type { ComposeRequest, ComposeResult } from '../../composer/composition.ts';

export interface ComposeWorker {
  /** Throws if the job cannot be cloned. */
  post(job: Job): void;
  /** Stops the worker immediately, even in the middle of a job. It sends no events afterwards. */
  end(): void;
}

interface WorkerEvents {
  answer(answer: WorkerAnswer): void;
  /** Called when the worker has ended by itself; `message` is the cause, for logs. */
  died(reason: 'memory' | 'crash', message: string): void;
}

/** Starts a worker. Throws if that is not possible. */
export type StartWorker = (events: WorkerEvents) => ComposeWorker;

/** The messages of a host to its composing worker, as plain data. The worker takes one job at a time. */
export type Job =
  | { readonly kind: 'compose'; readonly request: ComposeRequest }
  /** Counts the tokens of each text. */
  | { readonly kind: 'count'; readonly texts: readonly string[] };

export type JobResult =
  | { readonly kind: 'composed'; readonly result: ComposeResult; readonly milliseconds: number }
  | { readonly kind: 'counted'; readonly counts: readonly number[] };

export type WorkerAnswer =
  /** Sent once, before the first composition. The time limit starts then. */
  | { readonly kind: 'ready' }
  | JobResult
  /** The composition exceeded the stack or the maximum length of a text. */
  | { readonly kind: 'exhausted' }
  /** The composer threw an error, which is a defect of this program. */
  | { readonly kind: 'crashed'; readonly message: string };
