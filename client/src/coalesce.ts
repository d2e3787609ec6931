/**
 * Returns a function that runs `work`, one run at a time. Any number of calls during a run cause one more run after it, so
 * the newest call is always served and runs end in order.
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
