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
