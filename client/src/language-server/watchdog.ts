/**
 * Detects a server that stopped responding. Counts ticks of this host instead of reading a clock, because no ticks
 * occur while the machine sleeps or a debugger pauses the host.
 */
export interface WatchdogOptions {
  /** Sends a request that is cheap to answer. A failure counts as an answer. */
  readonly ping: () => Promise<unknown>;
  /** The maximum number of ticks until an answer. */
  readonly patience: number;
  /** Called once each time the server stops answering. */
  readonly onSilence: () => void;
}

export class Watchdog {
  readonly #options: WatchdogOptions;
  #hasSent = false;
  /** The number of ticks since the unanswered ping. */
  #silent: number | undefined;
  /** The number of the newest ping. Answers to earlier pings are ignored. */
  #serial = 0;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /** Records that a message was sent. Only a server that has work is pinged. */
  sent(): void {
    this.#hasSent = true;
  }

  /** Forgets all pings and messages. Must be called when the server has been replaced or stopped. */
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

/** Allows at most `most` restarts within a period in milliseconds. */
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
