/** A time that is sufficient for every step on a loaded machine, in milliseconds. */
const LIMIT_MS = 60_000;

/** Waits for a state that no message reports; rejects after `limit` milliseconds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limit = LIMIT_MS): Promise<void> {
  for (const end = performance.now() + limit; !(await holds()); ) {
    if (performance.now() > end) throw new Error(`Waited ${limit / 1000} s in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
