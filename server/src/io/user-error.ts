/** An error in the user's request. The message states the reason and the fix. Nothing was changed. */
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
 * Returns whether an error is a `UserError`. Compares the error's name, because each command-line script contains its
 * own copy of the class.
 */
export const isUserError = (error: unknown): error is UserError => error instanceof Error && error.name === 'UserError';

export const EMPTY_REQUEST = "The request is empty. Write a user's request in quotes.";

/** Returns the reason for a file system error as a clause. */
export function reasonOf(error: unknown): string {
  const { code, message, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOTDIR' || (code === 'EEXIST' && syscall === 'mkdir'))
    return 'a part of the path is a file, not a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ENOSPC') return 'the disk is full';
  if (code === 'EROFS') return 'the file system is read-only';
  if (code === 'EEXIST') return 'another program created a file at its path';
  if (code === 'EBUSY' || code === 'EXDEV') return 'a folder is mounted at its path, or another program uses it';
  // The message of a system error ends with the name of the call and its paths, which may be internal.
  return syscall ? (message ?? '').replace(/, \w+(?: '.*)?$/s, '') : (message ?? String(error));
}

/** Returns whether an error is a mistake in this program, such as a `TypeError`. The errors of Node have a code. */
const isInternalError = (error: unknown): boolean =>
  error instanceof Error && /^(?:Type|Range|Reference|Syntax|Eval|URI)Error$/.test(error.name) && !('code' in error);

/**
 * Returns the error to throw after an operation on files has failed: a `UserError` whose message `sentence` makes from
 * the reason, a clause. A `UserError` and an internal error are returned unchanged.
 */
export const toUserError = (error: unknown, sentence: (reason: string) => string): unknown =>
  isUserError(error) || isInternalError(error) ? error : new UserError(sentence(reasonOf(error)));

/** Returns the message of a `UserError`. Throws any other error. */
export function userMessage(error: unknown): string {
  if (isUserError(error)) return error.message;
  throw error;
}

/** Returns the message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns an error with its stack, for a log. */
export const traceOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Returns the error for a request that names a folder outside the workspace folders. */
export const outsideWorkspace = (shown: string): UserError =>
  new UserError(`\`${shown}\` is outside the workspace. Add this folder to the workspace first.`);
