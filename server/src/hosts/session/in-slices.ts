/** Work that takes long, done a piece at a time: between slices the server answers others. */
import type { Clock } from './clock.ts';
import { SLICE } from './pacing.ts';

/** Each step of the iteration is a piece of the work. */
export async function inSlices(pieces: Iterable<unknown>, clock: Clock): Promise<void> {
  let end = clock.now() + SLICE;
  for (const _ of pieces) {
    if (clock.now() < end) continue;
    await new Promise<void>((resolve) => void clock.soon(resolve));
    end = clock.now() + SLICE;
  }
}
