/** The notes and the progress that a command writes to stderr, and text that pipelines must not read as commands. */
import { showInvisible } from '../text.ts';

/** Formats a string as a note on one line. */
export const noteOf = (text: string): string => escapeMarkers(`skill-composer: ${showInvisible(text.trim())}\n`);

/**
 * Escapes text that the log of a pipeline reads as a command (docs/ci.md, "Authors' text in a log"): `::` at the start
 * of a line, also after white space and colours, and the markers of `escapeMarkers`. JSON keeps its value.
 */
export const escapeCommands = (text: string): string =>
  // `includes` is much faster than the expression, and reports can be very long.
  escapeMarkers(
    text.includes('::') ? text.replace(/^((?:[^\S\n]|\p{Cc}\[[\d;]*[A-Za-z])*):(?=:)/gmu, '$1\\u003a') : text,
  );

/** Escapes `##[`, `##vso[` and `##teamcity[`, which GitHub, Azure Pipelines and TeamCity read anywhere in a line. */
export const escapeMarkers = (text: string): string =>
  text.includes('##') ? text.replace(/(?<=#)#(?=[a-z]*\[)/gi, '\\u0023') : text;

/** The progress of a command on a terminal. Progress is shown only after half a second. */
export interface Progress {
  /** Updates the line. May be called often: it prints at most ten times per second. */
  step(what: string, done: number, total: number): void;
  /** Clears the line. */
  end(): void;
  /** Writes a note about files that are left out. */
  note?(line: string): void;
}

const DELAY_MS = 500;
const INTERVAL_MS = 100;

export const NO_PROGRESS: Progress = { step() {}, end() {} };

/** Returns a progress display for a terminal. `now` returns milliseconds. */
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
