/** The only place where a session touches time. Tests give it another one. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** The day where the user is, `2026-03-31`. */
  today(): string;
  /** Calls when what has come in meanwhile is handled; gives what takes that back. */
  soon(work: () => void): () => void;
  /** Calls after some milliseconds; gives what takes that back. */
  after(milliseconds: number, work: () => void): () => void;
}

export function today(): string {
  const date = new Date();
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

export const systemClock: Clock = {
  now: () => performance.now(),
  today,
  soon(work) {
    // A browser has no `setImmediate`.
    if (typeof setImmediate !== 'function') return systemClock.after(0, work);
    const planned = setImmediate(work);
    return () => clearImmediate(planned);
  },
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};
