/** Runs a client once, with a temporary home, without a terminal, and with a time limit. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { NODE, RIPGREP, type Run, type Start } from './client.ts';

/** A client that needs longer is ended. */
const MAX_MILLISECONDS = 180_000;
/** A longer output is cut. */
const MAX_CHARACTERS = 2_000_000;

export interface Ended {
  /** The exit status; undefined if the client was ended by the time limit or a signal. */
  readonly status: number | undefined;
  /** Standard output and standard error, without escape sequences. */
  readonly output: string;
}

/**
 * The environment of every run. Programs that respect proxy variables reach nothing but loopback, and the usual words
 * against telemetry are set.
 */
const environment = ({ home, installed }: Run): Record<string, string> => ({
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
});

/** Starts a client, and ends it with every process that it started. */
export async function runClient(run: Run, { command, args, env = {} }: Start): Promise<Ended> {
  mkdirSync(join(run.home, 'tmp'), { recursive: true });
  const child = spawn(command, args, {
    cwd: run.start,
    env: { ...environment(run), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
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
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < MAX_CHARACTERS) output += text;
    });
  }
  const limit = setTimeout(end, MAX_MILLISECONDS);
  process.once('exit', end);
  try {
    // `exit`, because a process that the client leaves behind keeps the pipes open.
    const status = await new Promise<number | undefined>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? undefined));
    });
    return { status, output: stripVTControlCharacters(output) };
  } finally {
    clearTimeout(limit);
    process.removeListener('exit', end);
    end();
  }
}
