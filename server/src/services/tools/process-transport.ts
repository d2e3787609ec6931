/** Runs a server as a process, and ends it together with the processes that it started. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import { CAN_GROUP, endProcess, endWithThisProcess } from '../../io/processes.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The number of retained characters of error output: more than are shown, so that no shown secret is cut in two.
 */
const MAX_COMPLAINT = 64 * 1024;

/** The time for a server to end after its input is closed, and again after `SIGTERM`. */
const GRACE_MS = 1_000;

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: Program;
  readonly #bounds: Bounds;
  readonly #buffer: ReadBuffer;
  /** The chunks of an unfinished line. `ReadBuffer` would copy the whole line for each chunk. */
  #pending: Buffer[] = [];
  #release = (): void => undefined;
  #child: ChildProcess | undefined;
  #complaint = '';
  #nonsense = false;

  constructor(program: Program, bounds: Bounds, bytes: number) {
    this.#program = program;
    this.#bounds = bounds;
    this.#buffer = new ReadBuffer({ maxBufferSize: bytes });
  }

  /** The end of the process's error output. */
  get errorOutput(): string {
    return this.#complaint;
  }

  /** True if the process printed lines that are not messages. */
  get hasInvalidOutput(): boolean {
    return this.#nonsense;
  }

  async start(): Promise<void> {
    const { command, args, cwd, env } = this.#program;
    const child = spawn(command, [...args], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A separate process group, which can be ended as a whole.
      detached: CAN_GROUP,
    });
    this.#child = child;
    this.#release = endWithThisProcess(() => this.#kill('SIGKILL'));
    child.on('error', (error: NodeJS.ErrnoException) => this.#bounds.stop(startFailure(command, cwd, error)));
    child.stdin?.on('error', (error) => this.onerror?.(error));
    readEach(child.stdout, (chunk) => this.#read(chunk));
    const complaint = new StringDecoder('utf8');
    readEach(child.stderr, (chunk) => {
      this.#bounds.take(chunk.length);
      // The end of the output usually states the cause.
      this.#complaint = (this.#complaint + complaint.write(chunk)).slice(-MAX_COMPLAINT);
    });
    child.on('close', (status, signal) => {
      const how = signal ? `with the signal ${signal}` : `with status ${status}`;
      // After a call to `close`, the end of the process is not a problem.
      if (this.#child) this.#bounds.stop(`ended ${how} before it answered.`);
      this.onclose?.();
    });
    await once(child, 'spawn', { signal: this.#bounds.signal });
  }

  #read(chunk: Buffer): void {
    this.#bounds.take(chunk.length);
    if (this.#bounds.signal.aborted) return;
    this.#pending.push(chunk);
    if (!chunk.includes('\n')) return;
    try {
      this.#buffer.append(Buffer.concat(this.#pending));
      this.#pending = [];
    } catch {
      this.#bounds.stop('sent a message that is too large.');
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) break;
        this.onmessage?.(message);
      } catch {
        // Ignore output that is not a message, such as a banner, as other clients do.
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
    this.#release();
    child.stdin?.end();
    // A server that exceeded a limit gets no time to end by itself.
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
    return `cannot be started: the command \`${command}\` or the folder \`${cwd}\` does not exist. Install the command, or create the folder.`;
  }
  return `cannot be started: ${message}.`;
}

// Limits that end the work with a server early. The first reason is reported.

/** A failure of a server. The message is the end of a sentence that begins with the server's name. */
export class ServerProblem extends Error {}

export class Bounds {
  readonly #bytes: number;
  readonly #controller = new AbortController();
  /** Rejects with the reason. The listener is registered first, so that other listeners of the signal run later. */
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

  /** Ends the work for this reason, unless it has already ended. */
  stop(reason: string): void {
    this.#controller.abort(new ServerProblem(reason));
  }

  /** Ends the work after some seconds, unless `isDone` then returns true. */
  within(seconds: number, reason: string, isDone: () => boolean = () => false): void {
    AbortSignal.timeout(Math.ceil(seconds * 1000)).addEventListener('abort', () => {
      if (!isDone()) this.stop(reason);
    });
  }

  /** Counts bytes that a server sent on any stream. */
  take(bytes: number): void {
    this.#received += bytes;
    if (this.#received > this.#bytes) this.stop(`sent more than ${this.#bytes / 1024 / 1024} MB.`);
  }

  /** Resolves like `work`, or rejects with the reason as soon as the work is ended. */
  async race<Result>(work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined);
    return Promise.race([work, this.#stopped]);
  }
}
