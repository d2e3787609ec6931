/** The command line `skill-composer`: runs a command and sets the exit status, even if the command throws. */

import { noteOf } from '../../io/stderr.ts';
import { isUserError, reasonOf } from '../../io/user-error.ts';
import { runProgram } from './program.ts';

/** The reader of a pipe may close it early (`| head`), which is not an error. A full disk is an error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(noteOf(`The result cannot be written: ${reasonOf(error)}.`));
  process.exit(2);
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') process.exit(2);
});

runProgram(process.argv.slice(2)).then(
  () => {
    process.exitCode ??= 0;
  },
  (error: unknown) => {
    const text = isUserError(error) ? error.onCommandLine : `Internal error, please report it: ${shortStack(error)}`;
    process.stderr.write(noteOf(text));
    process.exitCode = 2;
  },
);

const shortStack = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
