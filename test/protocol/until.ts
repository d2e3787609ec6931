/** Longer than a loaded machine takes for anything. */
const LIMIT_MS = 20_000;

/** Waits for what no message tells of; rejects where it does not come about. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + LIMIT_MS; !(await holds()); ) {
    if (performance.now() > end) throw new Error(`Waited ${LIMIT_MS / 1000} s in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
