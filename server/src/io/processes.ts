/**
 * Runs a command that calls a model (docs/testing.md, "With a model"), and ends processes with their children. Only the
 * command line can name such a command.
 */
import { isUtf8 } from 'node:buffer';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { win32 } from 'node:path';

export interface RunLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

const RUN_LIMITS: RunLimits = { milliseconds: 120_000, bytes: 10 * 1024 * 1024 };

/** The maximum number of characters of error output in a message. */
const MAX_COMPLAINT = 500;

/**
 * The time in which the output of an ended command is read, in milliseconds. Without this limit, a process that left the
 * command's group and holds its output would delay the result.
 */
const READ_MS = 500;

/**
 * Runs a command without a shell, and gives it the JSON of `input`. The run ends with the command: processes that it
 * started are then ended, too. `signal` ends it earlier. Never rejects: a failure is an outcome.
 */
export function runCommand(
  [program = '', ...words]: readonly string[],
  cwd: string,
  input: unknown,
  { milliseconds, bytes }: RunLimits = RUN_LIMITS,
  signal?: AbortSignal,
): Promise<{ readonly output: string } | { readonly problem: string }> {
  const child = spawn(program, words, { cwd, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true, detached: CAN_GROUP });
  const end = (): void => {
    if (child.pid !== undefined) endProcess(child.pid, 'SIGKILL');
  };
  const release = endWithThisProcess(end);
  const chunks: Buffer[] = [];
  let length = 0;
  let complaint = '';
  return new Promise<{ readonly output: string } | { readonly problem: string }>((resolve) => {
    const stop = (problem: string): void => {
      if (child.exitCode === null && child.signalCode === null) end();
      resolve({ problem });
    };
    const count = (bytesRead: number): void => {
      length += bytesRead;
      if (length > bytes) stop(`The command printed more than ${bytes / 1024 / 1024} MB and was stopped.`);
    };
    const finish = (): void => {
      const { exitCode, signalCode } = child;
      const said = complaint.trim() === '' ? '' : ` Error output: ${complaint.trim()}`;
      const output = Buffer.concat(chunks);
      if (exitCode !== 0)
        stop(`The command ended with ${signalCode ? `the signal ${signalCode}` : `status ${exitCode}`}.${said}`);
      else if (isUtf8(output)) resolve({ output: output.toString('utf8') });
      else stop('The output of the command is not valid UTF-8. Change the command so that it prints UTF-8.');
    };
    AbortSignal.timeout(milliseconds).addEventListener('abort', () =>
      stop(`The command ran longer than ${milliseconds / 1000} s and was stopped.`),
    );
    signal?.addEventListener('abort', () => stop('The command was stopped.'), { once: true });
    child.on('error', (error) => stop(`\`${program}\` cannot be run: ${error.message}.`));
    child.stdout.on('data', (chunk: Buffer) => {
      if (length <= bytes) chunks.push(chunk);
      count(chunk.length);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, MAX_COMPLAINT);
      count(text.length);
    });
    // A command may end without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(input)}\n`);
    child.on('exit', () => {
      if (CAN_GROUP) end();
      AbortSignal.timeout(READ_MS).addEventListener('abort', finish);
    });
    child.on('close', finish);
  }).finally(() => {
    release();
    letGo(child);
  });
}

/** The output of a script. */
export interface RanScript {
  /** Undefined if a signal ended it. */
  readonly status: number | undefined;
  readonly output: string;
  readonly errors: string;
}

/**
 * Runs a script of this package in a process of its own, also in the Node.js of an editor. Rejects if it cannot be
 * started.
 *
 * @param signal asks the script to end, so that it can end what it started
 */
export function runScript(
  script: string,
  words: readonly string[],
  { cwd, env, signal }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<RanScript> {
  const child = spawn(process.execPath, [script, ...words], {
    ...{ cwd, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true },
    env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const end = (): void => void child.kill('SIGTERM');
  const release = endWithThisProcess(end);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  const printed = { output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.errors += text;
  });
  return new Promise<RanScript>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ status: code ?? undefined, ...printed }));
  }).finally(() => {
    signal.removeEventListener('abort', end);
    release();
  });
}

/** Closes the pipes of a process, so that they do not keep this process running. */
function letGo(child: ChildProcessWithoutNullStreams): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  child.unref();
}

// Processes end together with this process, also after Ctrl+C.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `end` when this process ends, also because of a signal; the newest `end` is called first. Returns a function that
 * removes the listeners. A process group of its own does not receive the signals of the terminal.
 */
export function endWithThisProcess(end: () => void): () => void {
  // The `exit` event does not occur if a signal ends the process.
  const leave = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
  process.prependOnceListener('exit', end);
  for (const signal of SIGNALS) process.once(signal, leave);
  return () => {
    process.removeListener('exit', end);
    for (const signal of SIGNALS) process.removeListener(signal, leave);
  };
}

/** The required functions of the operating system, which tests replace. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly kill: (pid: number, signal: NodeJS.Signals) => void;
  readonly run: (program: string, args: readonly string[]) => void;
}

const here: System = {
  platform: process.platform,
  kill: (pid, signal) => void process.kill(pid, signal),
  run: (program, args) => void spawnSync(program, args, { stdio: 'ignore', windowsHide: true }),
};

/** True if the system has process groups, which are ended as a whole. */
export const CAN_GROUP = here.platform !== 'win32';

/**
 * Ends a process and its group. `pid` is the leader of a process group if the system has process groups. Never throws.
 */
export function endProcess(pid: number, signal: NodeJS.Signals, { platform, kill, run }: System = here): void {
  if (platform === 'win32') {
    // Windows cannot ask a process to end, and knows a process's parent only while both processes are running.
    run(win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe'), [
      '/PID',
      `${pid}`,
      '/T',
      '/F',
    ]);
    return;
  }
  try {
    kill(-pid, signal);
  } catch {
    // The process has already ended.
  }
}
