/**
 * Detects a server that stopped responding. Counts ticks of this host instead of reading a clock, because no ticks
 * occur while the machine sleeps or a debugger pauses the host.
 */
export interface WatchdogOptions {
  /** Sends a request that is cheap to answer. A failure counts as an answer. */
  readonly ping: () => Promise<unknown>;
  /** The maximum number of ticks until an answer. */
  readonly maxTicks: number;
  /** Called once each time the server stops answering. */
  readonly onUnresponsive: () => void;
}

export class Watchdog {
  readonly #options: WatchdogOptions;
  #hasSent = false;
  /** The number of ticks since the unanswered ping. */
  #ticksWaited: number | undefined;
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
    this.#ticksWaited = undefined;
  }

  tick(): void {
    if (this.#ticksWaited !== undefined) this.#countTick();
    else if (this.#hasSent) this.#ping();
  }

  #ping(): void {
    this.#hasSent = false;
    this.#ticksWaited = 0;
    const serial = ++this.#serial;
    const answered = (): void => {
      if (serial === this.#serial) this.#ticksWaited = undefined;
    };
    this.#options.ping().then(answered, answered);
  }

  #countTick(): void {
    this.#ticksWaited = (this.#ticksWaited ?? 0) + 1;
    if (this.#ticksWaited < this.#options.maxTicks) return;
    this.reset();
    this.#options.onUnresponsive();
  }
}

/** Allows at most `limit` restarts within `period` milliseconds. */
export class RestartLimit {
  readonly #limit: number;
  readonly #period: number;
  #times: readonly number[] = [];

  constructor(limit: number, period: number) {
    this.#limit = limit;
    this.#period = period;
  }

  allows(now: number): boolean {
    const recent = this.#times.filter((time) => now - time < this.#period);
    if (recent.length >= this.#limit) return false;
    this.#times = [...recent, now];
    return true;
  }
}
