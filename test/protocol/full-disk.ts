/**
 * A program and its words, so that no file may grow beyond 1 KiB: what a full disk does, to this process alone. A part of
 * a text is still written, and what comes then is an error and no signal.
 */
export const onFullDisk = (...command: readonly string[]): [string, string[]] => [
  'sh',
  ['-c', 'trap "" XFSZ; ulimit -f 1; exec "$@"', 'sh', ...command],
];
