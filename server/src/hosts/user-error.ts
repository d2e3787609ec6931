/** The user has asked for something that cannot be done. The message says why, and what to do; nothing has changed. */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** The message on the command line, where it may name options. */
  readonly onCommandLine: string;

  constructor(message: string, onCommandLine = message) {
    super(message);
    this.onCommandLine = onCommandLine;
  }
}

/** By name, since the command line is two scripts, each with a class of its own. */
export const isUserError = (error: unknown): error is UserError => error instanceof Error && error.name === 'UserError';

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
