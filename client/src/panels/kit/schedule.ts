/**
 * Returns a function that runs `work`, one run at a time. Any number of calls during a run cause exactly one more run.
 * So `work` always runs again after the latest call, also if a run fails, and runs never overlap. `fail` receives the
 * error of a failed run.
 */
export function coalesce(work: () => Promise<void>, fail: (error: unknown) => void): () => void {
  let isRunning = false;
  let isRequested = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isRequested) {
      isRequested = false;
      try {
        await work();
      } catch (error) {
        fail(error);
      }
    }
    isRunning = false;
  };
  return () => {
    isRequested = true;
    if (!isRunning) void run();
  };
}

/** Returns a function that calls `action` when this many milliseconds have passed without another call. */
export function debounce(action: () => void, milliseconds: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
