/**
 * Composes in a worker, one request at a time, so that no template can block the caller. Another worker runs skills.
 * Each is started on the first request and then reused. A worker that exceeds its time or memory, or crashes, is
 * replaced for the next request.
 */
import type { Evaluated, Evaluation } from '../../composer/compose.ts';
import type { ComposeRequest, ComposeResult } from '../../composer/composition.ts';
import { UserError } from '../../io/user-error.ts';
import type { AskMore, RunRequest, RunResult } from '../../protocol.ts';
import { deepValueIn } from './deep-values.ts';
import { type EndReason, endedResult, endedRun, failedRun } from './ended-result.ts';
import type { ComposeWorker, Job, JobResult, StartWorker, WorkerAnswer } from './worker.ts';

export interface Composed {
  readonly result: ComposeResult;
  /** The duration of composing in the worker. */
  readonly milliseconds: number;
  /** The reason, if the worker was ended before it answered. */
  readonly ended?: EndReason;
}

/** `soon` for requests that a user waits for; `later` for background work. */
type Urgency = 'soon' | 'later';

export interface Composing {
  /**
   * Composes a skill. A newer request supersedes an older request with the same key. Rejects with a `UserError`
   * if no worker can be started, because nothing is composed in the caller's own thread.
   */
  compose(key: string, request: ComposeRequest, urgency?: Urgency): Promise<Composed | 'superseded'>;
  /**
   * Runs a skill (docs/run.md). The worker calls no model, no tool and no service. A newer request supersedes an older
   * request with the same key; `signal` ends a run immediately. `askMore` answers the queries after the replies of the
   * request, while the run stays open; its time does not count. Rejects like `compose`, and with the error of `askMore`.
   */
  run(key: string, request: RunRequest, signal?: AbortSignal, askMore?: AskMore): Promise<RunResult | 'superseded'>;
  /** Counts the tokens in each string, as the composer does. Rejects if the worker cannot be started or is ended. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /** Evaluates expressions and templates, each with its own variables. Rejects like `count`. */
  evaluate(questions: readonly Evaluation[]): Promise<readonly Evaluated[]>;
  /** Starts the worker for this kind of work ahead of the first request. */
  warm(work?: 'compose' | 'run'): void;
  /** Ends the worker. Waiting requests are superseded. */
  dispose(): void;
}

/** The time limit of a composition, in milliseconds. */
const DEADLINE_MS = 2_000;
/** The time limit of a run, in milliseconds. Shapes with 10,000 nodes need some seconds. */
const RUN_MS = 20_000;
/** The time after the last run after which its worker is ended, because the library for runs needs much memory. */
const IDLE_MS = 60_000;
/** The maximum time that a `soon` task waits before the running `later` task is stopped. */
const PATIENCE_MS = 250;
/** The time limit for starting a worker. */
const START_MS = 30_000;
/**
 * The extra time after the deadline. On a busy machine, the timer can fire late, and an answer that has already arrived
 * is then still used.
 */
const GRACE_MS = 20;

export function createComposing(start: StartWorker, deadlineMs: number = DEADLINE_MS): Composing {
  const composing = new ComposeQueue(start, deadlineMs);
  // Runs have their own worker, so that a long run does not delay the prompt of a preview.
  const running = new ComposeQueue(start, deadlineMs, IDLE_MS);
  return {
    compose: (key, request, urgency) => composing.compose(key, request, urgency),
    run: (key, request, signal, askMore) => running.run(key, request, signal, askMore),
    count: (texts) => composing.count(texts),
    evaluate: (questions) => running.evaluate(questions),
    warm: (work) => (work === 'run' ? running : composing).warm(),
    dispose() {
      composing.dispose();
      running.dispose();
    },
  };
}

interface Task {
  readonly key: string;
  readonly job: Job;
  readonly urgency: Urgency;
  /** The time limit, in milliseconds. */
  readonly limitMs: number;
  readonly take: (result: JobResult) => void;
  /** Called if the worker was ended, or could not receive the job. */
  readonly end: (reason: EndReason, detail?: string) => void;
  readonly supersede: () => void;
  readonly reject: (error: unknown) => void;
  /** Answers the queries of a run, which stays open. */
  readonly askMore?: AskMore | undefined;
}

class ComposeQueue {
  readonly #start: StartWorker;
  readonly #deadlineMs: number;
  /** The waiting tasks by key, oldest first. */
  readonly #waiting = new Map<string, Task>();
  #running: Task | undefined;
  #worker: ComposeWorker | undefined;
  #isReady = false;
  /** The number of jobs that no other job replaces. */
  #asked = 0;
  /** Ends a worker that takes too long to start or to compose. */
  #limit: ReturnType<typeof setTimeout> | undefined;
  /** Runs while a task with urgency `soon` waits for a running task with urgency `later`. */
  #patience: ReturnType<typeof setTimeout> | undefined;

  /** Ends a worker that has nothing to do. */
  #idle: ReturnType<typeof setTimeout> | undefined;
  readonly #idleMs: number | undefined;

  /** @param idleMs the time after which a worker with nothing to do is ended; by default never */
  constructor(start: StartWorker, deadlineMs: number, idleMs?: number) {
    this.#start = start;
    this.#deadlineMs = deadlineMs;
    this.#idleMs = idleMs;
  }

  compose(key: string, request: ComposeRequest, urgency: Urgency = 'soon'): Promise<Composed | 'superseded'> {
    return new Promise((resolve, reject) => {
      this.#add({
        key: `compose ${key}`,
        job: { kind: 'compose', request },
        urgency,
        limitMs: this.#deadlineMs,
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

  run(key: string, request: RunRequest, signal?: AbortSignal, askMore?: AskMore): Promise<RunResult | 'superseded'> {
    const deep = deepValueIn(request);
    if (deep !== undefined) return Promise.resolve(failedRun(request.compose, 'TOO_DEEP', deep));
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => this.#cancel(`run ${key}`), { once: true });
      this.#add({
        key: `run ${key}`,
        job: { kind: 'run', request, asks: askMore !== undefined },
        urgency: 'soon',
        limitMs: RUN_MS,
        take: (answer) => {
          if (answer.kind === 'ran') resolve(answer.result);
        },
        end: (reason, detail) => resolve(endedRun(request.compose, reason, RUN_MS / 1000, detail)),
        supersede: () => resolve('superseded'),
        reject,
        askMore,
      });
    });
  }

  count(texts: readonly string[]): Promise<readonly number[]> {
    const what = 'counted tokens';
    return this.#ask({ kind: 'count', texts }, what, (answer) => (answer.kind === 'counted' ? answer.counts : []));
  }

  evaluate(questions: readonly Evaluation[]): Promise<readonly Evaluated[]> {
    const take = (answer: JobResult) => (answer.kind === 'evaluated' ? answer.results : []);
    return this.#ask({ kind: 'evaluate', questions }, 'evaluated an expression', take);
  }

  /** Runs a job that no other job replaces. `what` completes "The composing worker was stopped while it". */
  #ask<Result>(job: Job, what: string, take: (answer: JobResult) => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new UserError(`The composing worker was stopped while it ${what}.`));
      this.#add({
        key: `ask ${this.#asked++}`,
        job,
        urgency: 'soon',
        limitMs: this.#deadlineMs,
        take: (answer) => resolve(take(answer)),
        end: fail,
        supersede: fail,
        reject,
      });
    });
  }

  #add(task: Task): void {
    const { key } = task;
    this.#waiting.get(key)?.supersede();
    // The running task continues, because starting a new worker takes longer, but the result of the task is ignored.
    // An open run would go on asking.
    if (this.#running?.key === key && this.#running.askMore) this.#cancel(key);
    else if (this.#running?.key === key) this.#running.supersede();
    this.#waiting.delete(key);
    this.#waiting.set(key, task);
    if (task.urgency === 'soon' && this.#running?.urgency === 'later') {
      this.#patience ??= setTimeout(() => this.#postponeRunning(), PATIENCE_MS);
    }
    this.#runNext();
  }

  /** Ends a task. A running task is ended with its worker. */
  #cancel(key: string): void {
    this.#waiting.get(key)?.supersede();
    this.#waiting.delete(key);
    if (this.#running?.key !== key) return;
    this.#running.supersede();
    this.#endWorker();
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

  /** Once the worker is ready and free, runs the oldest task with urgency `soon`, or else the oldest task. */
  #runNext(): void {
    clearTimeout(this.#idle);
    if (this.#running) return;
    if (this.#waiting.size === 0) {
      if (this.#idleMs !== undefined && this.#worker) this.#idle = setTimeout(() => this.#endWorker(), this.#idleMs);
      return;
    }
    this.warm();
    if (!this.#worker || !this.#isReady) return;
    const tasks = [...this.#waiting.values()];
    const task = tasks.find(({ urgency }) => urgency === 'soon') ?? tasks[0];
    if (!task) return;
    this.#waiting.delete(task.key);
    try {
      this.#worker.post(task.job);
    } catch {
      // Only this request is faulty. A rejection would mean that no request can be composed.
      task.end('unsent');
      this.#runNext();
      return;
    }
    this.#running = task;
    this.#startLimit(task);
  }

  #startLimit({ limitMs }: Task): void {
    this.#limit = setTimeout(() => {
      this.#limit = setTimeout(() => this.#stopRunning('time'), GRACE_MS);
    }, limitMs);
  }

  /** Gives the open run its reply, unless it was ended in the meantime. */
  async #reply({ query, events }: Extract<WorkerAnswer, { kind: 'asking' }>): Promise<void> {
    const task = this.#running;
    if (!task) return;
    try {
      const reply = await task.askMore?.(query, events);
      if (this.#running !== task) return;
      this.#worker?.post({ kind: 'reply', reply });
      this.#startLimit(task);
    } catch (error) {
      if (this.#running !== task) return;
      this.#endWorker();
      task.reject(error);
      this.#runNext();
    }
  }

  #startWorker(): void {
    this.#limit = setTimeout(
      () => this.#refuseAll(`The composing worker did not start within ${START_MS / 1000} s.`),
      START_MS,
    );
    const refuse = (message: string) => this.#refuseAll(`The composing worker could not be started: ${message}`);
    try {
      this.#worker = this.#start({
        answer: (answer) => this.#take(answer),
        died: (reason, message) => (this.#isReady ? this.#stopRunning(reason, message) : refuse(message)),
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
    } else if (answer.kind === 'crashed') this.#stopRunning('crash', answer.message);
    else if (answer.kind === 'exhausted') this.#stopRunning('memory');
    else if (answer.kind === 'asking') void this.#reply(answer);
    else this.#finish(answer);
  }

  #finish(result: JobResult): void {
    this.#running?.take(result);
    this.#running = undefined;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#runNext();
  }

  /** Ends the worker, and ends the running task with an error. */
  #stopRunning(reason: EndReason, detail?: string): void {
    const task = this.#running;
    this.#endWorker();
    if (!task) return;
    task.end(reason, detail);
    this.#runNext();
  }

  /** Ends the worker. The running task is queued again, unless a newer task with the same key is waiting. */
  #postponeRunning(): void {
    const task = this.#running;
    this.#endWorker();
    if (task && !this.#waiting.has(task.key)) this.#waiting.set(task.key, task);
    this.#runNext();
  }

  /** Rejects every task with the reason, because no worker can be started. */
  #refuseAll(message: string): void {
    this.#endWorker();
    const tasks = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of tasks) reject(new UserError(message));
  }

  #endWorker(): void {
    clearTimeout(this.#limit);
    clearTimeout(this.#idle);
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#worker?.end();
    this.#worker = undefined;
    this.#isReady = false;
    this.#running = undefined;
  }
}
