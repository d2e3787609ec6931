/**
 * Composes in a worker, one request at a time, so that no template can block the caller. The worker is started when it is
 * first needed and kept; one that exceeds its time or memory, or crashes, is replaced for the next request.
 */
import type { ComposeRequest, ComposeResult } from '../../composer/composition.ts';
import { type EndReason, endedResult } from './ended.ts';
import type { ComposeWorker, Job, JobResult, StartWorker, WorkerAnswer } from './worker.ts';

export interface Composed {
  readonly result: ComposeResult;
  /** How long composing took in the worker. */
  readonly milliseconds: number;
  /** Set where the worker was ended before it could answer. */
  readonly ended?: EndReason;
}

/** `soon` for what somebody waits for; `later` for background work. */
type Urgency = 'soon' | 'later';

export interface Composing {
  /**
   * Of several requests for one key the newest wins. Rejects where no worker can be started, with a message for people:
   * nothing is ever composed in the caller's own thread.
   */
  compose(key: string, request: ComposeRequest, urgency?: Urgency): Promise<Composed | 'superseded'>;
  /** The tokens of each text, as compositions count them. Rejects where the worker cannot be started, or is ended. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /** Starts the worker ahead of the first request. */
  warm(): void;
  /** Ends the worker; what is still waiting is superseded. */
  dispose(): void;
}

/** How long a composition may run, in milliseconds. */
const DEADLINE_MS = 2_000;
/** How long a request of urgency `soon` waits for a running one of urgency `later` before that one is stopped. */
const PATIENCE_MS = 250;
/** How long a worker may take to start. */
const START_MS = 30_000;
/** On a busy machine the deadline's timer can run late: an answer that is already there goes first. */
const GRACE_MS = 20;

export const createComposing = (start: StartWorker, deadlineMs: number = DEADLINE_MS): Composing =>
  new ComposeQueue(start, deadlineMs);

interface Task {
  readonly key: string;
  readonly job: Job;
  readonly urgency: Urgency;
  readonly take: (result: JobResult) => void;
  /** The worker was ended, or did not get the job. */
  readonly end: (reason: EndReason) => void;
  readonly supersede: () => void;
  readonly reject: (error: Error) => void;
}

class ComposeQueue implements Composing {
  readonly #start: StartWorker;
  readonly #deadlineMs: number;
  /** By key, oldest first. */
  readonly #waiting = new Map<string, Task>();
  #running: Task | undefined;
  #worker: ComposeWorker | undefined;
  #isReady = false;
  #counts = 0;
  /** Ends a worker that takes too long to start or to compose. */
  #limit: ReturnType<typeof setTimeout> | undefined;
  /** Runs while a task of urgency `soon` waits for a running one of urgency `later`. */
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(start: StartWorker, deadlineMs: number) {
    this.#start = start;
    this.#deadlineMs = deadlineMs;
  }

  compose(key: string, request: ComposeRequest, urgency: Urgency = 'soon'): Promise<Composed | 'superseded'> {
    return new Promise((resolve, reject) => {
      this.#add({
        key: `compose ${key}`,
        job: { kind: 'compose', request },
        urgency,
        take: (answer) => {
          if (answer.kind === 'composed') resolve({ result: answer.result, milliseconds: answer.milliseconds });
        },
        end: (ended) => {
          const milliseconds = ended === 'unsent' ? 0 : this.#deadlineMs;
          const result = endedResult(request, ended, milliseconds / 1000);
          resolve(ended === 'unsent' ? { result, milliseconds } : { result, milliseconds, ended });
        },
        supersede: () => resolve('superseded'),
        reject,
      });
    });
  }

  count(texts: readonly string[]): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      const key = `count ${this.#counts++}`;
      const fail = (): void => reject(new Error('The worker that counts tokens was stopped.'));
      this.#add({
        key,
        job: { kind: 'count', texts },
        urgency: 'soon',
        take: (answer) => {
          if (answer.kind === 'counted') resolve(answer.counts);
        },
        end: fail,
        supersede: fail,
        reject,
      });
    });
  }

  #add(task: Task): void {
    const { key } = task;
    this.#waiting.get(key)?.supersede();
    // The running task goes on, since a new worker costs more, but nobody gets its answer.
    if (this.#running?.key === key) this.#running.supersede();
    this.#waiting.delete(key);
    this.#waiting.set(key, task);
    if (task.urgency === 'soon' && this.#running?.urgency === 'later') {
      this.#patience ??= setTimeout(() => this.#postponeRunning(), PATIENCE_MS);
    }
    this.#runNext();
  }

  warm(): void {
    if (!this.#worker) this.#startWorker();
  }

  dispose(): void {
    const tasks = [...this.#waiting.values(), ...(this.#running ? [this.#running] : [])];
    this.#waiting.clear();
    this.#endWorker();
    for (const { supersede } of tasks) supersede();
  }

  /** Runs the oldest task of urgency `soon`, else the oldest, once the worker is ready and free. */
  #runNext(): void {
    if (this.#running || this.#waiting.size === 0) return;
    this.warm();
    if (!this.#worker || !this.#isReady) return;
    const tasks = [...this.#waiting.values()];
    const task = tasks.find(({ urgency }) => urgency === 'soon') ?? tasks[0];
    if (!task) return;
    this.#waiting.delete(task.key);
    try {
      this.#worker.post(task.job);
    } catch {
      // What cannot be sent concerns this request alone; a rejection would say that nothing can be composed.
      task.end('unsent');
      this.#runNext();
      return;
    }
    this.#running = task;
    this.#limit = setTimeout(() => {
      this.#limit = setTimeout(() => this.#stopRunning('time'), GRACE_MS);
    }, this.#deadlineMs);
  }

  #startWorker(): void {
    this.#limit = setTimeout(
      () => this.#refuseAll(`The worker that composes did not start within ${START_MS / 1000} s.`),
      START_MS,
    );
    const refuse = (message: string) => this.#refuseAll(`The worker that composes could not be started: ${message}`);
    try {
      this.#worker = this.#start({
        answer: (answer) => this.#take(answer),
        died: (reason, message) => (this.#isReady ? this.#stopRunning(reason) : refuse(message)),
      });
    } catch (error) {
      refuse(error instanceof Error ? error.message : String(error));
    }
  }

  #take(answer: WorkerAnswer): void {
    clearTimeout(this.#limit);
    if (answer.kind === 'ready') {
      this.#isReady = true;
      this.#runNext();
    } else if (answer.kind === 'crashed') this.#stopRunning('crash');
    else if (answer.kind === 'exhausted') this.#stopRunning('memory');
    else this.#finish(answer);
  }

  #finish(result: JobResult): void {
    this.#running?.take(result);
    this.#running = undefined;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#runNext();
  }

  /** Ends the worker, and the running task with an error. */
  #stopRunning(reason: EndReason): void {
    const task = this.#running;
    this.#endWorker();
    if (!task) return;
    task.end(reason);
    this.#runNext();
  }

  /** Ends the worker; the running task waits again, unless a newer one for its key has superseded it. */
  #postponeRunning(): void {
    const task = this.#running;
    this.#endWorker();
    if (task && !this.#waiting.has(task.key)) this.#waiting.set(task.key, task);
    this.#runNext();
  }

  /** No worker can be started: rejects every task with the reason. */
  #refuseAll(message: string): void {
    this.#endWorker();
    const tasks = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of tasks) reject(new Error(message));
  }

  #endWorker(): void {
    clearTimeout(this.#limit);
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#worker?.end();
    this.#worker = undefined;
    this.#isReady = false;
    this.#running = undefined;
  }
}
