/** The time limits of waits in end-to-end tests. */
import type { Locator } from 'playwright-core';

/** Longer than the start of an extension host on the slowest machine. */
export const limit = 60_000;

export const appears = (one: Locator, timeout: number): Promise<boolean> =>
  one.waitFor({ timeout }).then(
    () => true,
    () => false,
  );

export const disappears = (one: Locator, timeout: number): Promise<boolean> =>
  one.waitFor({ state: 'hidden', timeout }).then(
    () => true,
    () => false,
  );
