/**
 * Runs `work` once at a time. Any number of calls during a run lead to one more run after it, so the newest call is always
 * served and no older run ends after a newer one.
 */
export function coalesce(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isRequested = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      while (isRequested) {
        isRequested = false;
        await work();
      }
    } finally {
      isRunning = false;
    }
  };
  return () => {
    isRequested = true;
    if (!isRunning) void run();
  };
}
