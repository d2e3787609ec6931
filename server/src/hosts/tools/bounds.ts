/** What ends the work with a server before its time: the first reason is the one that is told. */

/** Why a server costs its own entry, as the rest of a sentence that begins with its name. */
export class Refusal extends Error {}

export class Bounds {
  readonly #bytes: number;
  readonly #controller = new AbortController();
  /** Rejects with the reason: before all else that hears of it, since nothing listens sooner. */
  readonly #stopped: Promise<never>;
  #received = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#stopped = new Promise((_, fail) => {
      this.signal.addEventListener('abort', () => fail(this.signal.reason));
    });
    this.#stopped.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the work for this reason, unless another one came first. */
  stop(reason: string): void {
    this.#controller.abort(new Refusal(reason));
  }

  /** Ends the work after some seconds, unless `isDone` by then. */
  within(seconds: number, reason: string, isDone: () => boolean = () => false): void {
    AbortSignal.timeout(Math.ceil(seconds * 1000)).addEventListener('abort', () => {
      if (!isDone()) this.stop(reason);
    });
  }

  /** Counts what a server has sent, in whatever form. */
  take(bytes: number): void {
    this.#received += bytes;
    if (this.#received > this.#bytes) this.stop(`has sent more than ${this.#bytes / 1024 / 1024} MB.`);
  }

  /** What `work` resolves to; rejects with the reason as soon as there is one. */
  async race<Result>(work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined);
    return Promise.race([work, this.#stopped]);
  }
}
