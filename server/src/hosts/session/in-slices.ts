/** Runs long work in slices of time, between which the server handles other messages. */
import type { Clock } from './clock.ts';
import { SLICE } from './pacing.ts';

/** Runs the work in slices of time. Each step of the iteration does one piece of work. */
export async function inSlices(pieces: Iterable<unknown>, clock: Clock): Promise<void> {
  let end = clock.now() + SLICE;
  for (const _ of pieces) {
    if (clock.now() < end) continue;
    await new Promise<void>((resolve) => void clock.soon(resolve));
    end = clock.now() + SLICE;
  }
}
