/** Why a run ends without a result: wrong usage, a file that cannot be read, a broken configuration. Exit status 2. */
export class Stop extends Error {
  override readonly name = 'Stop';
}

/** Commands are a script of their own, whose `Stop` is another class than that of the command line's first script. */
export const isStop = (error: unknown): error is Stop => error instanceof Error && error.name === 'Stop';

export const EMPTY_REQUEST = 'The request is empty: write what a user would ask, in quotes.';

/** An error of the file system in words. */
export function reasonOf(error: unknown): string {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR' || (code === 'EEXIST' && syscall === 'mkdir')) return 'a file stands where a folder has to be';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ENOSPC') return 'the disk is full';
  if (code === 'EROFS') return 'the file system is read-only';
  return message ?? String(error);
}
