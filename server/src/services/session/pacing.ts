/** The time of a session: its clock, the delays of its work in milliseconds, and long work in slices. */

/** A session's only access to time. Tests replace it. */
export interface Clock {
  /** Returns the time in milliseconds. */
  now(): number;
  /** Returns the local date, such as `2026-03-31`. */
  today(): string;
  /** Calls `work` after the received messages are handled. Returns a function that cancels it. */
  soon(work: () => void): () => void;
  /** Calls `work` after some milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void;
}

/** Returns the local date, such as `2026-03-31`. */
export function today(): string {
  const date = new Date();
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

export const systemClock: Clock = {
  now: () => performance.now(),
  today,
  soon(work) {
    // Browsers have no `setImmediate`.
    if (typeof setImmediate !== 'function') return systemClock.after(0, work);
    const planned = setImmediate(work);
    return () => clearImmediate(planned);
  },
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A piece of work, and the milliseconds until it is due. */
export interface Work {
  readonly wait: number;
  readonly piece: () => void;
}

export const NOW = 0;

/** The duration of a slice of work, after which received messages are handled. */
export const SLICE = 2;

/** The time from the last keystroke to the check of closed files. */
const REST = 200;

/** The maximum time that closed files wait for their check while the user types. */
const AT_MOST = 2_000;

/** The time from a change to its announcement to other views. */
const ANNOUNCE = 200;

/** The time from the last change to the composition of samples. */
const QUIET = 250;

/** The time from the last keystroke in a word to the report of its findings. */
const WORD = 500;

/** The pause in changes on disk after which the disk is compared with the index. */
const DISK_REST = 300;

/** The maximum time from a change on disk to the comparison. */
const DISK_AT_MOST = 5_000;

/** The time from a comparison to the next one if it found a difference. */
const DISK_AGAIN = 500;

/** The number of changed paths without a pause after which an editor may have lost events. */
export const BURST = 100;

/** The maximum time that the first reading waits for the client's replies, such as its settings. */
export const START_PATIENCE = 2_000;

/** The maximum time that the first check of an open file waits for its catalogs. */
export const CATALOG_PATIENCE = 3_000;

export interface Times {
  readonly now: number;
  /** The time of the last keystroke. */
  readonly typed: number;
  /** The time of the last change to any file. */
  readonly changed: number;
}

/** Returns the remaining delay for closed files. `since` is the time when the first waiting file was queued. */
export const waitForClosed = ({ now, typed }: Times, since: number): number =>
  Math.max(0, Math.min(typed + REST, since + AT_MOST) - now);

/** Returns the time until an announcement is due. `since` is the time of the change that it announces. */
export const waitForAnnouncement = ({ now }: Times, since: number): number => Math.max(0, since + ANNOUNCE - now);

export const waitForSamples = ({ now, changed }: Times): number => Math.max(0, changed + QUIET - now);

/** Returns the time that findings at a word are still held back. `edited` is the time of the last edit to the word. */
export const waitForWord = (now: number, edited: number): number => Math.max(0, edited + WORD - now);

/** Returns whether a pause in changes on disk has passed since `last`. */
export const isRested = (now: number, last: number): boolean => now >= last + DISK_REST;

/** Returns the time of a comparison. `first` and `last` are the times of the first and the last change. */
export const comparisonDue = (first: number, last: number): number => Math.min(last + DISK_REST, first + DISK_AT_MOST);

/** Returns the time at which a comparison is repeated. */
export const comparisonAgain = (now: number): number => now + DISK_AGAIN;

/** Returns the value of a promise, or undefined if it does not settle within some milliseconds. */
export async function atMost<Value>(
  milliseconds: number,
  promise: Promise<Value>,
  clock: Clock,
): Promise<Value | undefined> {
  let cancel = (): void => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(milliseconds, () => resolve(undefined));
  });
  return Promise.race([promise, late]).finally(() => cancel());
}

/** Runs the work in slices of time. Each step of the iteration does one piece of work. */
export async function inSlices(pieces: Iterable<unknown>, clock: Clock): Promise<void> {
  let end = clock.now() + SLICE;
  for (const _ of pieces) {
    if (clock.now() < end) continue;
    await new Promise<void>((resolve) => void clock.soon(resolve));
    end = clock.now() + SLICE;
  }
}
