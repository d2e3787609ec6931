/** The only place where a session touches time. Tests give it another one. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  /** Calls when what has come in meanwhile is handled; gives what takes that back. */
  soon(work: () => void): () => void;
  /** Calls after some milliseconds; gives what takes that back. */
  after(milliseconds: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
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
