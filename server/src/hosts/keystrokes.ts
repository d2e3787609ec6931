/** Buffers whose newest text the workspace has not seen: several keystrokes cost one reading. */

/**
 * A client that pulls asks for what it wants to know, most at every keystroke, and whoever asks is answered at once. A
 * keystroke after which nobody asks is taken in when the hands rest: a burst of 20 costs one reading instead of 20.
 */
const UNASKED_MS = 50;

/**
 * A client that is told hears of what a hand types at once: a held key repeats every 33 ms. What comes faster was not typed
 * (an extension's edits, a replayed macro), and is read when it rests, or now and then: 20 edits in 300 ms cost 4 readings.
 */
const FASTER_THAN_A_HAND_MS = 25;
const NOW_AND_THEN_MS = 100;

export interface Keystrokes {
  /** Called for every keystroke. */
  typed(uri: string): void;
  /** Takes in what was typed: whoever asks about a text asks about the newest. */
  flush(): void;
}

export function createKeystrokes(
  pull: boolean,
  take: (uri: string) => void,
  now: () => number = () => performance.now(),
): Keystrokes {
  const pending = new Set<string>();
  let last = Number.NEGATIVE_INFINITY;
  let waitsSince = last;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    for (const uri of pending) take(uri);
    pending.clear();
  };
  const rest = (typed: number): number =>
    typed - last < FASTER_THAN_A_HAND_MS ? Math.min(FASTER_THAN_A_HAND_MS, waitsSince + NOW_AND_THEN_MS - typed) : 0;
  return {
    typed(uri) {
      clearTimeout(timer);
      const typed = now();
      if (pending.size === 0) waitsSince = typed;
      timer = setTimeout(flush, pull ? UNASKED_MS : rest(typed));
      last = typed;
      pending.add(uri);
    },
    flush,
  };
}
