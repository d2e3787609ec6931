/** Runs a client once, with a temporary home, without a terminal, and with a time limit. */
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { endProcess, endWithThisProcess } from '../../io/processes.ts';
import { closeOutput, endProcessesOf, makeFolder, openOutput, readOutput } from '../../io/temporary-folder.ts';
import type { Run, Start } from './observed-client.ts';

/** A client that needs longer is ended. */
const MAX_MILLISECONDS = 300_000;
/** A longer output is cut. */
const MAX_CHARACTERS = 2_000_000;

export interface Ended {
  /** The exit status; undefined if the client was ended by the time limit or a signal. */
  readonly status: number | undefined;
  /** Standard output, then standard error, without escape sequences. */
  readonly output: string;
  /** The commands of processes that the client left behind, outside its group. They were ended. */
  readonly leftBehind?: readonly string[];
}

/**
 * The environment of every run. Programs that respect proxy variables reach nothing but loopback, and the usual words
 * against telemetry are set.
 */
export const environment = ({ home, path }: Pick<Run, 'home' | 'path'>): NodeJS.ProcessEnv => ({
  PATH: [...path, process.env.PATH ?? ''].join(delimiter),
  HOME: home,
  TMPDIR: join(home, 'tmp'),
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local', 'share'),
  XDG_STATE_HOME: join(home, '.local', 'state'),
  XDG_CACHE_HOME: join(home, '.cache'),
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  NO_COLOR: '1',
  DO_NOT_TRACK: '1',
  DISABLE_TELEMETRY: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  https_proxy: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
  // `fetch` of Node.js ignores these variables otherwise.
  NODE_USE_ENV_PROXY: '1',
  TZ: 'UTC',
});

/**
 * Starts a client, and ends it with every process that it started. Rejects if the program cannot be started.
 *
 * @param until ends the client earlier
 */
export async function runClient(
  run: Run,
  { args, env = {} }: Start,
  until: AbortSignal = AbortSignal.timeout(MAX_MILLISECONDS),
): Promise<Ended> {
  makeFolder(join(run.home, 'tmp'));
  // A file, because a client that exits does not wait until a pipe is read.
  const files = ['output.txt', 'errors.txt'].map((name) => join(dirname(run.home), name));
  const descriptors = files.map(openOutput);
  const child = spawn(run.program, args, {
    cwd: run.start,
    env: { ...environment(run), ...env },
    stdio: ['ignore', ...descriptors],
    detached: true,
  });
  const end = (): void => {
    if (child.pid !== undefined) endProcess(child.pid, 'SIGKILL');
  };
  const endAll = (): void => {
    end();
    endProcessesOf(run.home);
  };
  const release = endWithThisProcess(endAll);
  until.addEventListener('abort', end);
  if (until.aborted) end();
  try {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? undefined));
    });
    // Processes that go on could still write.
    end();
    const output = files.map((file) => readOutput(file, MAX_CHARACTERS)).join('');
    const leftBehind = endProcessesOf(run.home);
    return { status, output: stripVTControlCharacters(output), ...(leftBehind.length > 0 && { leftBehind }) };
  } finally {
    until.removeEventListener('abort', end);
    for (const descriptor of descriptors) closeOutput(descriptor);
    release();
    endAll();
  }
}
