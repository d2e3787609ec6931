/** The terminal that a command runs in. */
import pc from 'picocolors';
import type { Colors } from 'picocolors/types';
import { printable } from './formats/printable.ts';
import { createProgress, NO_PROGRESS, type Progress } from './progress.ts';

export interface Console {
  readonly colors: Colors;
  readonly progress: Progress;
  /** The result. */
  print(text: string): void;
  /** Why there is no result, on stderr. */
  complain(text: string): void;
  /** A line about the run, on stderr. */
  note(line: string): void;
}

/** `quiet` shows no progress. */
export function openConsole({ color, quiet }: { readonly color: boolean; readonly quiet?: boolean }): Console {
  const { stdout, stderr, env } = process;
  const wanted = env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : stdout.isTTY === true && env.TERM !== 'dumb';
  const write = (text: string) => void stderr.write(text);
  return {
    colors: pc.createColors(color && !env.NO_COLOR && wanted),
    progress: stderr.isTTY && !quiet ? createProgress(write, () => performance.now()) : NO_PROGRESS,
    print: (text) => void stdout.write(text),
    complain: write,
    note: (line) => write(noteOf(line)),
  };
}

/** The text in one line. */
export const noteOf = (text: string): string =>
  `skill-composer: ${printable(text.trim().replace(/\s*[\r\n]+\s*/g, ' '))}\n`;
