/** The one pacing policy of a session: what waits while somebody types, and for how long. In milliseconds. */

/** A piece of work, and the milliseconds until it is due. */
export interface Work {
  readonly wait: number;
  readonly piece: () => void;
}

export const NOW = 0;

/** For how long the session works before it looks at what has come in. */
export const SLICE = 2;

/** Files that are not open are checked when nobody has typed for so long. */
const REST = 200;

/** Whoever types without a rest is told of other files all the same. */
const AT_MOST = 2_000;

/** What concerns other views than the edited file is announced so long after a change. */
const ANNOUNCE = 200;

/** Samples are composed when nothing has changed for so long. */
const QUIET = 250;

/** What is wrong with a word is told when nobody has typed on it for so long. */
const WORD = 500;

export interface Times {
  readonly now: number;
  /** Of the last keystroke. */
  readonly typed: number;
  /** Of the last change of any file. */
  readonly changed: number;
}

/** For how long closed files still wait of which the first was queued at `since`; 0 where they need not. */
export const waitForClosed = ({ now, typed }: Times, since: number): number =>
  Math.max(0, Math.min(typed + REST, since + AT_MOST) - now);

/** For how long an announcement still waits of which the cause came at `since`. */
export const waitForAnnouncement = ({ now }: Times, since: number): number => Math.max(0, since + ANNOUNCE - now);

export const waitForSamples = ({ now, changed }: Times): number => Math.max(0, changed + QUIET - now);

/** For how long findings under a word still wait that was edited at `edited`; 0 where they need not. */
export const waitForWord = (now: number, edited: number): number => Math.max(0, edited + WORD - now);
