/** What is written to stderr while the work goes on: notes and progress. */
import { visible } from '../../text.ts';

/** The text in one line. */
export const noteOf = (text: string): string =>
  `skill-composer: ${visible(text.trim().replace(/\s*[\r\n]+\s*/g, ' '))}\n`;

/** Shows on a terminal how far the work is, once it has lasted for half a second. */
export interface Progress {
  /** May be called often; prints now and then. */
  step(what: string, done: number, total: number): void;
  /** Clears the line. */
  end(): void;
}

const DELAY_MS = 500;
const INTERVAL_MS = 100;

export const NO_PROGRESS: Progress = { step() {}, end() {} };

/** Writes to `write`, a terminal; `now` gives milliseconds. */
export function createProgress(write: (text: string) => void, now: () => number): Progress {
  let next = now() + DELAY_MS;
  let shown = false;
  return {
    step(what, done, total) {
      if (now() < next) return;
      next = now() + INTERVAL_MS;
      shown = true;
      write(`\r\u001b[K${what} ${done} of ${total}`);
    },
    end() {
      if (shown) write('\r\u001b[K');
      shown = false;
    },
  };
}
