/**
 * Notices that the server does not answer any more. Time is counted in ticks of this host, not on a clock: while the
 * machine sleeps or the host stands in a debugger, none passes.
 */
export interface WatchdogOptions {
  /** A cheap request; it may fail, as long as it is answered. */
  readonly ping: () => Promise<unknown>;
  /** How many ticks an answer may take. */
  readonly patience: number;
  /** Called once for each silence. */
  readonly onSilence: () => void;
}

export class Watchdog {
  readonly #options: WatchdogOptions;
  #hasSent = false;
  /** The ticks since the ping that is not answered yet. */
  #silent: number | undefined;
  /** Of the newest ping: the answer to one of an earlier server tells nothing. */
  #serial = 0;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /** Something was sent to the server: only one that has work to do is asked whether it lives. */
  sent(): void {
    this.#hasSent = true;
  }

  /** Another server runs now, or none. */
  reset(): void {
    this.#serial++;
    this.#hasSent = false;
    this.#silent = undefined;
  }

  tick(): void {
    if (this.#silent !== undefined) this.#wait();
    else if (this.#hasSent) this.#ask();
  }

  #ask(): void {
    this.#hasSent = false;
    this.#silent = 0;
    const serial = ++this.#serial;
    const answered = (): void => {
      if (serial === this.#serial) this.#silent = undefined;
    };
    this.#options.ping().then(answered, answered);
  }

  #wait(): void {
    this.#silent = (this.#silent ?? 0) + 1;
    if (this.#silent < this.#options.patience) return;
    this.reset();
    this.#options.onSilence();
  }
}

/** Allows a number of restarts within a time, counted in milliseconds; what fails more often is not fixed by another. */
export class RestartLimit {
  readonly #most: number;
  readonly #within: number;
  #times: readonly number[] = [];

  constructor(most: number, within: number) {
    this.#most = most;
    this.#within = within;
  }

  allows(now: number): boolean {
    const recent = this.#times.filter((time) => now - time < this.#within);
    if (recent.length >= this.#most) return false;
    this.#times = [...recent, now];
    return true;
  }
}
