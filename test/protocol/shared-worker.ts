/**
 * A composing worker for a script that runs in this process. The next worker reuses the thread of an idle worker that
 * ended, because starting a thread takes longer than most tests.
 */
import { EventEmitter } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { Job, WorkerAnswer } from '../../server/src/services/composing/worker.ts';

interface Thread {
  readonly worker: Worker;
  /** The receiver of messages from the thread. */
  owner: SharedWorker | undefined;
  isReady: boolean;
  /** The number of pending jobs. */
  open: number;
  hasEnded: boolean;
}

/** The threads without an owner, by the path of the script. */
const idle = new Map<string, Thread[]>();

function startThread(path: string, options: WorkerOptions): Thread {
  const thread: Thread = {
    worker: new Worker(path, options),
    owner: undefined,
    isReady: false,
    open: 0,
    hasEnded: false,
  };
  thread.worker.on('message', (answer: WorkerAnswer) => {
    if (answer.kind === 'ready') thread.isReady = true;
    else thread.open--;
    thread.owner?.emit('message', answer);
  });
  for (const event of ['error', 'exit']) {
    thread.worker.on(event, (what: unknown) => {
      thread.hasEnded = true;
      thread.owner?.emit(event, what);
    });
  }
  return thread;
}

export class SharedWorker extends EventEmitter {
  readonly #path: string;
  readonly #thread: Thread;

  constructor(path: string, options: WorkerOptions) {
    super();
    this.#path = path;
    const known = idle.get(path)?.pop();
    this.#thread = known ?? startThread(path, options);
    this.#thread.owner = this;
    if (known?.isReady) setImmediate(() => this.emit('message', { kind: 'ready' } satisfies WorkerAnswer));
  }

  postMessage(job: Job): void {
    this.#thread.worker.postMessage(job);
    this.#thread.open++;
  }

  unref(): void {
    this.#thread.worker.unref();
  }

  async terminate(): Promise<void> {
    const { worker, open, owner, hasEnded } = this.#thread;
    if (owner !== this || hasEnded) return;
    this.#thread.owner = undefined;
    if (open === 0) idle.set(this.#path, [...(idle.get(this.#path) ?? []), this.#thread]);
    else await worker.terminate();
  }
}
