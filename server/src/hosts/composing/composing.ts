/**
 * Composes in a worker, one request at a time, so that no template can hold up whoever asks. One worker is started when
 * it is first needed and kept; one that runs too long, takes too much or dies is thrown away, and the next composition
 * has a new one.
 */
import type { ComposeRequest, ComposeResult } from '../../composer/composition.ts';
import { type EndReason, endedResult } from './ended.ts';
import type { Answer } from './messages.ts';
import type { ComposeWorker, StartWorker } from './worker.ts';

export interface Composed {
  readonly result: ComposeResult;
  /** How long composing took in the worker. */
  readonly milliseconds: number;
}

/** `soon` for what somebody waits for; `later` for what may wait until nobody does. */
export type Urgency = 'soon' | 'later';

export interface Composing {
  /**
   * Of several requests for one key the newest wins. Rejects where no worker can be started, with a message for people:
   * nothing is ever composed in the caller's own thread.
   */
  compose(key: string, request: ComposeRequest, urgency?: Urgency): Promise<Composed | 'superseded'>;
  /** Starts the worker ahead of the first request, for who knows that there will be one. */
  warm(): void;
  /** Ends the worker; what is still waiting is superseded. */
  dispose(): void;
}

/** How long a composition may run. */
export const DEADLINE_MS = 2_000;
/**
 * How long somebody waits for what may wait, before that is broken off and begun again later. Most compositions take a few
 * milliseconds, and a new worker three hundred.
 */
const PATIENCE_MS = 250;
/** A worker that is not ready by then never will be. */
const START_MS = 30_000;
/** A clock that rings late, on a loaded machine, finds the answer waiting: it is heard first. */
const GRACE_MS = 20;

interface Task {
  readonly id: number;
  readonly key: string;
  readonly request: ComposeRequest;
  readonly urgency: Urgency;
  readonly resolve: (composed: Composed | 'superseded') => void;
  readonly reject: (error: Error) => void;
}

interface Life {
  worker: ComposeWorker | undefined;
  ready: boolean;
  alarm: ReturnType<typeof setTimeout> | undefined;
}

export function createComposing(start: StartWorker, deadlineMs: number = DEADLINE_MS): Composing {
  /** What waits, by key, in the order of coming. */
  const waiting = new Map<string, Task>();
  let running: Task | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let life: Life | undefined;
  let serial = 0;

  const next = (): Task | undefined => {
    const tasks = [...waiting.values()];
    return tasks.find(({ urgency }) => urgency === 'soon') ?? tasks[0];
  };
  const throwAway = (): void => {
    clearTimeout(life?.alarm);
    life?.worker?.end();
    life = undefined;
  };
  /** Nobody can be served: everybody is told why. */
  const refuse = (message: string): void => {
    throwAway();
    const tasks = [...waiting.values()];
    waiting.clear();
    for (const { reject } of tasks) reject(new Error(message));
  };
  const finish = (composed: Composed): void => {
    const task = running;
    running = undefined;
    clearTimeout(patience);
    patience = undefined;
    task?.resolve(composed);
    pump();
  };
  const cutShort = (reason: EndReason): void => {
    const task = running;
    throwAway();
    if (task) finish({ result: endedResult(task.request, reason, deadlineMs / 1000), milliseconds: deadlineMs });
  };
  /** Whoever waits goes before what runs and may wait. A newer request for that one's key has it superseded already. */
  const hurry = (): void => {
    const task = running;
    patience = undefined;
    if (task?.urgency !== 'later') return;
    running = undefined;
    throwAway();
    if (!waiting.has(task.key)) waiting.set(task.key, task);
    pump();
  };
  const hear = (from: Life, answer: Answer): void => {
    if (from !== life) return;
    if (answer.kind === 'ready') {
      clearTimeout(life.alarm);
      life.ready = true;
      pump();
      return;
    }
    if (answer.id !== running?.id) return;
    clearTimeout(life.alarm);
    if (answer.kind === 'crashed') cutShort('crash');
    else finish({ result: answer.result, milliseconds: answer.milliseconds });
  };
  const begin = (): void => {
    const mine: Life = { worker: undefined, ready: false, alarm: undefined };
    life = mine;
    mine.alarm = setTimeout(() => {
      if (mine === life) refuse(`The worker that composes did not start within ${START_MS / 1000} s.`);
    }, START_MS);
    try {
      mine.worker = start({
        answer: (answer) => hear(mine, answer),
        died(reason, message) {
          if (mine !== life) return;
          if (mine.ready) cutShort(reason);
          else refuse(`The worker that composes could not be started: ${message}`);
        },
      });
    } catch (error) {
      refuse(`The worker that composes could not be started: ${error instanceof Error ? error.message : error}`);
    }
  };
  const pump = (): void => {
    if (running || waiting.size === 0) return;
    if (!life) begin();
    const mine = life;
    const task = next();
    if (!mine?.ready || !task) return;
    waiting.delete(task.key);
    running = task;
    mine.alarm = setTimeout(() => {
      mine.alarm = setTimeout(() => {
        if (mine === life && running === task) cutShort('time');
      }, GRACE_MS);
    }, deadlineMs);
    try {
      mine.worker?.post({ id: task.id, request: task.request });
    } catch (error) {
      clearTimeout(mine.alarm);
      running = undefined;
      task.reject(error instanceof Error ? error : new Error(String(error)));
      pump();
    }
  };

  return {
    compose(key, request, urgency = 'soon') {
      return new Promise((resolve, reject) => {
        waiting.get(key)?.resolve('superseded');
        // What runs goes on, since starting anew would cost more; its answer is too late for whoever asked.
        if (running?.key === key) running.resolve('superseded');
        waiting.delete(key);
        waiting.set(key, { id: ++serial, key, request, urgency, resolve, reject });
        if (urgency === 'soon' && running?.urgency === 'later') patience ??= setTimeout(hurry, PATIENCE_MS);
        pump();
      });
    },
    warm() {
      if (!life) begin();
    },
    dispose() {
      const tasks = [...waiting.values(), ...(running ? [running] : [])];
      waiting.clear();
      running = undefined;
      clearTimeout(patience);
      throwAway();
      for (const { resolve } of tasks) resolve('superseded');
    },
  };
}
