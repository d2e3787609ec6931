/** How long an end-to-end test waits for what it is to see. */
import type { Locator } from 'playwright-core';

/** Longer than the slowest machine takes to start an extension host. */
export const limit = 60_000;

export const appears = (one: Locator, timeout: number): Promise<boolean> =>
  one.waitFor({ timeout }).then(
    () => true,
    () => false,
  );

export const goes = (one: Locator, timeout: number): Promise<boolean> =>
  one.waitFor({ state: 'hidden', timeout }).then(
    () => true,
    () => false,
  );
