/** Whether somebody is typing: what is not in view waits until the hands rest, and is then done once for all keystrokes. */

const REST_MS = 200;
/** Whoever types without a rest is told of other files all the same. */
const AT_MOST_MS = 2000;

export interface Typing {
  /** Called for every keystroke. */
  typed(): void;
  /** For how many milliseconds what has been waiting since then has to wait; 0 where it need not. */
  left(since: number): number;
}

export function createTyping(now: () => number = () => performance.now()): Typing {
  let last = Number.NEGATIVE_INFINITY;
  return {
    typed() {
      last = now();
    },
    left: (since) => Math.max(0, Math.min(last + REST_MS, since + AT_MOST_MS) - now()),
  };
}
