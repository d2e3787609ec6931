/** The terminal that a command runs in. */
import pc from 'picocolors';
import type { Colors } from 'picocolors/types';
import { showInvisibleInLines } from '../../text.ts';
import { createProgress, NO_PROGRESS, noteOf, type Progress } from '../node/stderr.ts';

export interface Console {
  readonly colors: Colors;
  readonly progress: Progress;
  /** True if the results go to a terminal. */
  readonly isTerminal: boolean;
  /** Prints a result. The format has already escaped invisible characters. */
  print(text: string): void;
  /** Prints authors' text unchanged to a pipe or file, and with invisible characters escaped to a terminal. */
  printExact(text: string): void;
  /** Writes an error to stderr. */
  printError(text: string): void;
  /** Writes a line about the run to stderr. */
  note(line: string): void;
  /** Asks the user a yes/no question. Returns undefined if there is no terminal. */
  confirm(question: string): Promise<boolean | undefined>;
}

export const NO_COLORS: Colors = pc.createColors(false);

/** Returns the console of this process. With `quiet`, it shows no progress. */
export function openConsole({ color, quiet }: { readonly color: boolean; readonly quiet?: boolean }): Console {
  const { stdin, stdout, stderr, env } = process;
  const wanted = env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : stdout.isTTY === true && env.TERM !== 'dumb';
  const write = (text: string) => void stderr.write(text);
  return {
    colors: pc.createColors(color && !env.NO_COLOR && wanted),
    progress: stderr.isTTY && !quiet ? createProgress(write, () => performance.now()) : NO_PROGRESS,
    isTerminal: stdout.isTTY === true,
    print: (text) => void stdout.write(text),
    printExact: (text) => void stdout.write(stdout.isTTY ? showInvisibleInLines(text) : text),
    printError: write,
    note: (line) => write(noteOf(line)),
    confirm: async (question) => {
      if (!stdin.isTTY || !stderr.isTTY) return undefined;
      const { createInterface } = await import('node:readline/promises');
      const asking = createInterface({ input: stdin, output: stderr });
      // The end of the input counts as no.
      const ended = new Promise<string>((end) => asking.once('close', () => end('')));
      const answer = await Promise.race([asking.question(`${question} [y/N] `), ended]).finally(() => asking.close());
      return /^y(?:es)?$/i.test(answer.trim());
    },
  };
}
