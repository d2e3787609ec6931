/** A server as a process of its own, which is ended with all that it has started. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { win32 } from 'node:path';
import type { Readable } from 'node:stream';
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Of what a server says on its standard error so much is kept: more than is told, so that no secret in it is cut in two. */
const MAX_COMPLAINT = 64 * 1024;

/** How long a server may take to end by itself, and then when it is asked to. */
const GRACE_MS = 1_000;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: Program;
  readonly #bounds: Bounds;
  readonly #buffer: ReadBuffer;
  readonly #killAtExit = () => this.#kill('SIGKILL');
  #child: ChildProcess | undefined;
  #complaint = '';
  #nonsense = false;

  constructor(program: Program, bounds: Bounds, bytes: number) {
    this.#program = program;
    this.#bounds = bounds;
    this.#buffer = new ReadBuffer({ maxBufferSize: bytes });
  }

  /** What it has said on its standard error. */
  get complaint(): string {
    return this.#complaint;
  }

  /** Whether it has printed what is no message. */
  get talksNonsense(): boolean {
    return this.#nonsense;
  }

  async start(): Promise<void> {
    const { command, args, cwd, env } = this.#program;
    const child = spawn(command, [...args], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A group of its own, which can be ended as a whole.
      detached: CAN_GROUP,
    });
    this.#child = child;
    process.once('exit', this.#killAtExit);
    child.on('error', (error: NodeJS.ErrnoException) => this.#bounds.stop(startFailure(command, cwd, error)));
    child.stdin?.on('error', (error) => this.onerror?.(error));
    readEach(child.stdout, (chunk) => this.#read(chunk));
    readEach(child.stderr, (chunk) => {
      this.#bounds.take(chunk.length);
      // The end tells why a server has ended.
      this.#complaint = (this.#complaint + chunk.toString('utf8')).slice(-MAX_COMPLAINT);
    });
    child.on('close', (status, signal) => {
      const how = signal ? `by the signal ${signal}` : `with status ${status}`;
      // Of one that was closed here nothing more is wanted.
      if (this.#child) this.#bounds.stop(`ended ${how} before it had answered.`);
      this.onclose?.();
    });
    await once(child, 'spawn', { signal: this.#bounds.signal });
  }

  #read(chunk: Buffer): void {
    this.#bounds.take(chunk.length);
    if (this.#bounds.signal.aborted) return;
    try {
      this.#buffer.append(chunk);
    } catch {
      this.#bounds.stop('has sent a message that is too large.');
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) break;
        this.onmessage?.(message);
      } catch {
        // Banners and the like are passed over, as clients do.
        this.#nonsense = true;
      }
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#child?.stdin?.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    process.removeListener('exit', this.#killAtExit);
    child.stdin?.end();
    // Whoever floods or hangs gets no time to go on with it.
    if (!this.#bounds.signal.aborted) await ended(child);
    this.#kill('SIGTERM', child);
    await ended(child);
    this.#kill('SIGKILL', child);
    for (const stream of child.stdio) stream?.destroy();
  }

  #kill(signal: NodeJS.Signals, child = this.#child): void {
    if (child?.pid !== undefined) endProcess(child.pid, signal);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  await once(child, 'exit', { signal: AbortSignal.timeout(GRACE_MS) }).catch(() => undefined);
}

const readEach = (stream: Readable | null, take: (chunk: Buffer) => void): void => void stream?.on('data', take);

function startFailure(command: string, cwd: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') {
    return `cannot be started: \`${command}\` is not found, or the folder \`${cwd}\` is not there. Install the one, or make the other.`;
  }
  return `cannot be started: ${message}.`;
}

// What ends the work with a server before its time: the first reason is the one that is told.

/** Why a server costs its own entry, as the rest of a sentence that begins with its name. */
export class ServerProblem extends Error {}

export class Bounds {
  readonly #bytes: number;
  readonly #controller = new AbortController();
  /** Rejects with the reason: before all else that hears of it, since nothing listens sooner. */
  readonly #stopped: Promise<never>;
  #received = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#stopped = new Promise((_, fail) => {
      this.signal.addEventListener('abort', () => fail(this.signal.reason));
    });
    this.#stopped.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the work for this reason, unless another one came first. */
  stop(reason: string): void {
    this.#controller.abort(new ServerProblem(reason));
  }

  /** Ends the work after some seconds, unless `isDone` by then. */
  within(seconds: number, reason: string, isDone: () => boolean = () => false): void {
    AbortSignal.timeout(Math.ceil(seconds * 1000)).addEventListener('abort', () => {
      if (!isDone()) this.stop(reason);
    });
  }

  /** Counts what a server has sent, in whatever form. */
  take(bytes: number): void {
    this.#received += bytes;
    if (this.#received > this.#bytes) this.stop(`has sent more than ${this.#bytes / 1024 / 1024} MB.`);
  }

  /** What `work` resolves to; rejects with the reason as soon as there is one. */
  async race<Result>(work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined);
    return Promise.race([work, this.#stopped]);
  }
}

// Ends a process together with all that it has started.

/** What the operating system offers for it; tests give others. */
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

/** Whether a process can have a group of its own, which is ended as a whole. */
const CAN_GROUP = here.platform !== 'win32';

/** `pid` is that of a process with a group of its own, where there are groups. Never throws. */
export function endProcess(pid: number, signal: NodeJS.Signals, { platform, kill, run }: System = here): void {
  if (platform === 'win32') {
    // Windows knows of no request to end, and who has started whom only while both are there.
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
    // It has ended by itself.
  }
}
