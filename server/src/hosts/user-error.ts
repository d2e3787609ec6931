/** An error in the request of the user. The message states the reason and the fix. Nothing was changed. */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** The message for the command line, which may name options. */
  readonly onCommandLine: string;

  constructor(message: string, onCommandLine = message) {
    super(message);
    this.onCommandLine = onCommandLine;
  }
}

/**
 * Returns whether an error is a `UserError`. Compares the name, since each script of the command line has its own
 * class.
 */
export const isUserError = (error: unknown): error is UserError => error instanceof Error && error.name === 'UserError';

export const EMPTY_REQUEST = 'The request is empty. Write the request of a user in quotes.';

/** Returns the reason of a file system error as a clause. */
export function reasonOf(error: unknown): string {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR' || (code === 'EEXIST' && syscall === 'mkdir'))
    return 'a file has the name of a folder in the path';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ENOSPC') return 'the disk is full';
  if (code === 'EROFS') return 'the file system is read-only';
  return message ?? String(error);
}
