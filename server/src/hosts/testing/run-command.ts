/**
 * Runs a command that calls a model (docs/testing.md, "With a model"). Only the command line can name such a command.
 */
import { spawn } from 'node:child_process';

/** The JSON that the command receives on its standard input. */
export interface RunInput {
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly output_schema: unknown;
}

export type RunOutcome = { readonly output: string } | { readonly problem: string };

export interface RunLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

const RUN_LIMITS: RunLimits = { milliseconds: 120_000, bytes: 10 * 1024 * 1024 };

/** The maximum number of characters of error output in a message. */
const MAX_COMPLAINT = 500;

/** Runs a command without a shell. Never rejects: a failure is an outcome. */
export function runCommand(
  [program = '', ...words]: readonly string[],
  cwd: string,
  input: RunInput,
  { milliseconds, bytes }: RunLimits = RUN_LIMITS,
): Promise<RunOutcome> {
  return new Promise((settle) => {
    let isOver = false;
    const resolve = (outcome: RunOutcome): void => {
      isOver = true;
      settle(outcome);
    };
    const child = spawn(program, words, {
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      detached: process.platform !== 'win32',
    });
    const chunks: Buffer[] = [];
    let length = 0;
    let complaint = '';
    const stop = (problem: string): void => {
      endAll(child.pid);
      resolve({ problem });
    };
    const late = (): void => {
      if (!isOver) stop(`The command ran longer than ${milliseconds / 1000} s and was stopped.`);
    };
    AbortSignal.timeout(milliseconds).addEventListener('abort', late);
    child.on('error', (error) => resolve({ problem: `\`${program}\` cannot be run: ${error.message}.` }));
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > bytes) stop(`The command printed more than ${bytes / 1024 / 1024} MB and was stopped.`);
      else chunks.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, MAX_COMPLAINT);
    });
    // A command may end without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(input)}\n`);
    child.on('close', (status, signal) => {
      if (status === 0) resolve({ output: Buffer.concat(chunks).toString('utf8') });
      else {
        const said = complaint.trim() === '' ? '' : ` Error output: ${complaint.trim()}`;
        resolve({ problem: `The command ended with ${signal ? `the signal ${signal}` : `status ${status}`}.${said}` });
      }
    });
  });
}

/** Ends a command and the processes that it started. */
function endAll(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // The command has already ended.
  }
}
