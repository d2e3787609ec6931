/** The keys of a command that goes on, and when a user ends it: `q`, Ctrl+C, or a signal. */

/** On a terminal that does not edit lines, Ctrl+C and Ctrl+D come as characters. */
const ENDS = ['q', 'Q', '\u0003', '\u0004'];

/** Calls `end`, perhaps more than once; gives what leaves the terminal as it was. */
export function onEnd(end: () => void, keys: Readonly<Record<string, () => void>>): () => void {
  const { stdin, stdout } = process;
  const isTerminal = stdin.isTTY === true;
  const read = (chunk: Buffer): void => {
    if (ENDS.some((key) => chunk.includes(key))) end();
    for (const [key, act] of Object.entries(keys)) if (chunk.includes(key)) act();
  };
  if (isTerminal) stdin.setRawMode(true);
  stdin.on('data', read);
  process.on('SIGINT', end).on('SIGTERM', end);
  // Nobody reads any more.
  stdout.on('error', end);
  return () => {
    process.off('SIGINT', end).off('SIGTERM', end);
    stdout.off('error', end);
    stdin.off('data', read);
    if (isTerminal) stdin.setRawMode(false);
    stdin.pause();
  };
}
