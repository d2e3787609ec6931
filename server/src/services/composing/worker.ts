/** The interface of a composing worker, for all kinds of threads. */
import type { Evaluated, Evaluation } from '../../composer/compose.ts';
import type { ComposeRequest, ComposeResult } from '../../composer/composition.ts';
import type { RunEvent, RunQuery, RunReply, RunRequest, RunResult } from '../../protocol.ts';

export interface ComposeWorker {
  /** Throws if the job cannot be cloned. */
  post(job: Job): void;
  /** Stops the worker immediately, even in the middle of a job. A stopped worker sends no events. */
  end(): void;
}

interface WorkerEvents {
  answer(answer: WorkerAnswer): void;
  /** Called when the worker has ended by itself; `message` is the cause, for logs. */
  died(reason: 'memory' | 'crash', message: string): void;
}

/** Starts a worker. Throws if that is not possible. */
export type StartWorker = (events: WorkerEvents) => ComposeWorker;

/** The messages from a host to its composing worker, as plain data. The worker takes one job at a time. */
export type Job =
  | { readonly kind: 'compose'; readonly request: ComposeRequest }
  /** Runs a skill (docs/run.md). If `asks` is true, the run stays open at a query after the replies of its request. */
  | { readonly kind: 'run'; readonly request: RunRequest; readonly asks: boolean }
  /** Continues the open run. Without a reply, it pauses at the query. */
  | { readonly kind: 'reply'; readonly reply: RunReply | undefined }
  /** Counts the tokens in each string. */
  | { readonly kind: 'count'; readonly texts: readonly string[] }
  | { readonly kind: 'evaluate'; readonly questions: readonly Evaluation[] };

export type JobResult =
  | { readonly kind: 'composed'; readonly result: ComposeResult; readonly milliseconds: number }
  | { readonly kind: 'ran'; readonly result: RunResult }
  | { readonly kind: 'counted'; readonly counts: readonly number[] }
  | { readonly kind: 'evaluated'; readonly results: readonly Evaluated[] };

export type WorkerAnswer =
  /** Sent once, when the worker can receive jobs. The time limit of the first job starts after this message. */
  | { readonly kind: 'ready' }
  | JobResult
  /** The open run needs a reply. The time limit starts again with the reply. */
  | { readonly kind: 'asking'; readonly query: RunQuery; readonly events: readonly RunEvent[] }
  /** The composition exceeded the stack or the maximum length of a string. */
  | { readonly kind: 'exhausted' }
  /** The composer threw an error, which is a defect of this program. */
  | { readonly kind: 'crashed'; readonly message: string };
