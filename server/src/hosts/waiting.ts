/** Keeps what waits for files, so that somebody may wait for all of it. */
export interface Waiting {
  /** The same promise, kept until it is done. */
  awaited(work: Promise<void>): Promise<void>;
  isBusy(): boolean;
  /** Resolves when what is kept now is done, well or not. */
  settled(): Promise<unknown>;
}

export function createWaiting(): Waiting {
  const kept = new Set<Promise<void>>();
  return {
    awaited(work) {
      const done = work.finally(() => kept.delete(done));
      kept.add(done);
      return done;
    },
    isBusy: () => kept.size > 0,
    settled: () => Promise.allSettled(kept),
  };
}
