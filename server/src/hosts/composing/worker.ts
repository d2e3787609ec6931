/** A composing worker, whichever kind of thread it is. */
import type { ComposeRequest, ComposeResult } from '../../composer/composition.ts';

export interface ComposeWorker {
  /** Throws where the job is no plain data. */
  post(job: Job): void;
  /** Stops it at once, whatever it does. It causes no events afterwards. */
  end(): void;
}

interface WorkerEvents {
  answer(answer: WorkerAnswer): void;
  /** The worker has ended by itself; `message` gives the cause, for logs. */
  died(reason: 'memory' | 'crash', message: string): void;
}

/** Starts a worker; throws where there can be none. */
export type StartWorker = (events: WorkerEvents) => ComposeWorker;

/** The messages between a host and its composing worker, which takes one job at a time: plain data. */
export type Job =
  | { readonly kind: 'compose'; readonly request: ComposeRequest }
  /** The tokens of each text. */
  | { readonly kind: 'count'; readonly texts: readonly string[] };

export type JobResult =
  | { readonly kind: 'composed'; readonly result: ComposeResult; readonly milliseconds: number }
  | { readonly kind: 'counted'; readonly counts: readonly number[] };

export type WorkerAnswer =
  /** Sent once, before anything is composed: from here on time counts. */
  | { readonly kind: 'ready' }
  | JobResult
  /** Something outgrew the stack or the longest text that there can be. */
  | { readonly kind: 'exhausted' }
  /** The composer threw, which is a defect of its own. */
  | { readonly kind: 'crashed'; readonly message: string };
