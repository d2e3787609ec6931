/** Runs a client once, with a temporary home, without a terminal, and with a time limit. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { NODE, RIPGREP, type Run, type Start } from './client.ts';

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
export const environment = ({ home, installed }: Run): Record<string, string> => ({
  PATH: [
    ...[NODE, RIPGREP].map(({ name }) => join(installed, 'node_modules', name, 'bin')),
    join(installed, 'node_modules', '.bin'),
    process.env.PATH ?? '',
  ].join(delimiter),
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

/** Starts a client, and ends it with every process that it started. */
export async function runClient(run: Run, { command, args, env = {} }: Start): Promise<Ended> {
  mkdirSync(join(run.home, 'tmp'), { recursive: true });
  // A file, because a client that exits does not wait until a pipe is read.
  const files = ['output.txt', 'errors.txt'].map((name) => join(dirname(run.home), name));
  const descriptors = files.map((file) => openSync(file, 'w'));
  const child = spawn(command, args, {
    cwd: run.start,
    env: { ...environment(run), ...env },
    stdio: ['ignore', ...descriptors],
    detached: true,
  });
  const end = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  };
  const endAll = (): void => {
    end();
    endLeftovers(run.home);
  };
  const limit = setTimeout(end, MAX_MILLISECONDS);
  process.once('exit', endAll);
  try {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? undefined));
    });
    // Processes that go on could still write.
    end();
    const output = files.map((file) => readFileSync(file, 'utf8').slice(0, MAX_CHARACTERS)).join('');
    const leftBehind = endLeftovers(run.home);
    return { status, output: stripVTControlCharacters(output), ...(leftBehind.length > 0 && { leftBehind }) };
  } finally {
    clearTimeout(limit);
    for (const descriptor of descriptors) closeSync(descriptor);
    process.removeListener('exit', endAll);
    endAll();
  }
}

/**
 * Ends all processes that have this home in their environment, also those in sessions of their own (Linux only).
 *
 * @returns their commands
 */
export function endLeftovers(home: string): readonly string[] {
  const ended: string[] = [];
  for (const pid of process.platform === 'linux' ? readdirSync('/proc') : []) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`)) continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      process.kill(Number(pid), 'SIGKILL');
      // A process that has ended and waits for its parent has no command.
      if (command !== '') ended.push(command);
    } catch {
      // The process has ended, or belongs to another user.
    }
  }
  return ended;
}

/** Makes signals end this process in the usual way, so that it ends the processes that it started. */
export function exitOnSignals(): void {
  for (const [signal, number] of [
    ['SIGHUP', 1],
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.once(signal, () => process.exit(128 + number));
  }
}
