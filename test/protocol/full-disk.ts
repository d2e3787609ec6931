/**
 * Returns a program and arguments that run a command in which no file can grow beyond 1 KiB. This simulates a full disk
 * for one process: a part of a string is still written, and further writes fail with an error instead of a signal.
 */
export const onFullDisk = (...command: readonly string[]): [string, string[]] => [
  'sh',
  ['-c', 'trap "" XFSZ; ulimit -f 1; exec "$@"', 'sh', ...command],
];
