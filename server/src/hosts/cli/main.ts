/** The command line `skill-composer`: runs a command, and turns whatever ends it into an exit status. */
import { noteOf } from './console.ts';
import { runProgram } from './program.ts';
import { Stop } from './stop.ts';

/** Who reads the result may have seen enough (`| head`); that is no fault of the run. */
const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};
process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);

runProgram(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    const text = error instanceof Stop ? error.message : `A fault of the program, please report it: ${traceOf(error)}`;
    process.stderr.write(noteOf(text));
    process.exitCode = 2;
  },
);

const traceOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error);
