/** How far the work is, on a terminal's stderr, once it has lasted for half a second. */

export interface Progress {
  /** Called often; says something now and then. */
  step(what: string, done: number, total: number): void;
  /** Takes the line away again. */
  end(): void;
}

const PATIENCE_MS = 500;
const PACE_MS = 100;

export const NO_PROGRESS: Progress = { step() {}, end() {} };

/** Writes to `write`, a terminal; `now` gives milliseconds. */
export function createProgress(write: (text: string) => void, now: () => number): Progress {
  let next = now() + PATIENCE_MS;
  let shown = false;
  return {
    step(what, done, total) {
      if (now() < next) return;
      next = now() + PACE_MS;
      shown = true;
      write(`\r\u001b[K${what} ${done} of ${total}`);
    },
    end() {
      if (shown) write('\r\u001b[K');
      shown = false;
    },
  };
}
