/**
 * Runs `work` once at a time. Asked while it runs, it runs once more afterwards, however often it was asked: so the last
 * one asked is always done, nothing older ends after it, and a burst costs no more than what it can show.
 */
export function newestOnly(work: () => Promise<void>): () => void {
  let running = false;
  let wanted = false;
  const run = async (): Promise<void> => {
    running = true;
    try {
      while (wanted) {
        wanted = false;
        await work();
      }
    } finally {
      running = false;
    }
  };
  return () => {
    wanted = true;
    if (!running) void run();
  };
}
