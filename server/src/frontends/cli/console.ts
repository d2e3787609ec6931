/** The terminal that a command runs in. */
import { pipeline } from 'node:stream/promises';
import pc from 'picocolors';
import type { Colors } from 'picocolors/types';
import { createProgress, escapeCommands, escapeMarkers, NO_PROGRESS, noteOf, type Progress } from '../../io/stderr.ts';
import { showInvisibleInLines } from '../../text.ts';

/** The ways to print a result. No other code writes to stdout. */
export interface Output {
  /** Prints a report, whose fields the format has made visible. `format` is the format, as for `reportText`. */
  print(text: string, format?: string): void;
  /** Prints a long report in pieces. Makes each piece only when the reader is ready for it. */
  printPieces(pieces: Iterable<string>): Promise<void>;
  /**
   * Prints text of authors that the user requested, such as a prompt: unchanged to a pipe or file, and with invisible
   * characters escaped to a terminal.
   */
  printExact(text: string): void;
}

export interface Console extends Output {
  readonly colors: Colors;
  readonly progress: Progress;
  /** True if the results go to a terminal. */
  readonly isTerminal: boolean;
  /** The width of this terminal in columns. */
  readonly columns?: number | undefined;
  /** Writes an error to stderr. */
  printError(text: string): void;
  /** Writes a line about the run to stderr. */
  note(line: string): void;
  /** Asks the user for a line. Returns undefined if there is no terminal, or at the end of the input. */
  ask(question: string): Promise<string | undefined>;
  /** Asks the user a yes/no question. Returns undefined if there is no terminal. */
  confirm(question: string): Promise<boolean | undefined>;
}

export const NO_COLORS: Colors = pc.createColors(false);

/** Returns a report in which a pipeline reads no text as a command, except the commands of the format `github`. */
export const reportText = (text: string, format?: string): string =>
  format === 'github' ? escapeMarkers(text) : escapeCommands(text);

/**
 * Writes the pieces of a report to `stream`. Makes a piece only when the stream can take it. Ends early if the stream
 * fails or closes. Never throws.
 */
export async function writePieces(stream: NodeJS.WritableStream, pieces: Iterable<string>): Promise<void> {
  const report = function* () {
    for (const piece of pieces) yield reportText(piece);
  };
  await pipeline(report(), stream, { end: false }).catch(() => undefined);
}

export const outputTo = (write: (text: string) => void, isTerminal: boolean): Output => ({
  print: (text, format) => write(reportText(text, format)),
  printPieces: async (pieces) => {
    for (const piece of pieces) write(reportText(piece));
  },
  printExact: (text) => write(isTerminal ? showInvisibleInLines(text) : text),
});

/** Returns the console of this process. With `quiet`, it shows no progress. */
export function openConsole({ color, quiet }: { readonly color: boolean; readonly quiet?: boolean }): Console {
  const { stdin, stdout, stderr, env } = process;
  const wanted = env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : stdout.isTTY === true && env.TERM !== 'dumb';
  const write = (text: string) => void stderr.write(text);
  const hasTerminal = stdin.isTTY === true && stderr.isTTY === true;
  const ask = async (question: string): Promise<string | undefined> => {
    if (!hasTerminal) return undefined;
    const { createInterface } = await import('node:readline/promises');
    const asking = createInterface({ input: stdin, output: stderr });
    const ended = new Promise<undefined>((end) => asking.once('close', () => end(undefined)));
    const line = await Promise.race([asking.question(question), ended]).finally(() => asking.close());
    // Without an answer, the cursor is still in the line of the question.
    if (line === undefined) write('\n');
    return line;
  };
  return {
    colors: pc.createColors(color && !env.NO_COLOR && wanted),
    progress: {
      ...(stderr.isTTY && !quiet ? createProgress(write, () => performance.now()) : NO_PROGRESS),
      note: (line) => write(noteOf(line)),
    },
    isTerminal: stdout.isTTY === true,
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    ...outputTo((text) => void stdout.write(text), stdout.isTTY === true),
    // `main.ts` reports the errors of `stdout`.
    printPieces: (pieces) => writePieces(stdout, pieces),
    printError: (text) => write(escapeCommands(text)),
    note: (line) => write(noteOf(line)),
    ask,
    confirm: async (question) =>
      hasTerminal ? /^y(?:es)?$/i.test((await ask(`${question} [y/N] `))?.trim() ?? '') : undefined,
  };
}
