/** Whether somebody is typing: what is not in view waits until the hands rest, and is then done once for all keystrokes. */

const REST_MS = 200;
/** Whoever types without a rest is told of other files all the same. */
const AT_MOST_MS = 2000;

export interface Typing {
  /** Called for every keystroke. */
  typed(): void;
  /** For how many milliseconds what is not in view has to wait; 0 where it need not. */
  left(): number;
}

export function createTyping(now: () => number = () => performance.now()): Typing {
  let began = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  const left = (): number => Math.max(0, Math.min(last + REST_MS, began + AT_MOST_MS) - now());
  return {
    typed() {
      const at = now();
      if (at - last >= REST_MS) began = at;
      last = at;
    },
    left,
  };
}
