/** A small LSP client over a child process's standard streams: framing, requests, notifications. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export type Handlers = Readonly<Record<string, (params: never) => unknown>>;

export interface Client {
  readonly pid: number;
  /** When the process was started, by `performance.now()`. */
  readonly started: number;
  notify(method: string, params: unknown): void;
  request<T>(method: string, params: unknown): Promise<T>;
  /** Ends the server, by force where it does not go. */
  close(): Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const TIMEOUT_MS = 180_000;

/** `handlers` answer what the server asks and hear what it tells, by method. */
export function startClient(command: readonly string[], cwd: string, handlers: Handlers): Client {
  const [program = 'node', ...args] = command;
  const started = performance.now();
  const server = spawn(program, args, { cwd, stdio: 'pipe' });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let serial = 0;
  let errors = '';
  let gone = false;
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    if (!gone) server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const take = ({ id, method, params, result, error }: Message): void => {
    if (method === undefined) {
      const one = waiting.get(Number(id));
      waiting.delete(Number(id));
      if (error) one?.reject(new Error(error.message));
      else one?.resolve(result);
      return;
    }
    const answer = handlers[method]?.(params as never);
    if (id !== undefined) send({ id, result: answer ?? null });
  };
  server.stderr.on('data', (data) => {
    if (errors.length < 2000) errors += data;
  });
  server.stdin.on('error', () => {});
  const exited = new Promise<void>((resolve) => {
    server.on('exit', () => {
      gone = true;
      for (const { reject } of waiting.values()) reject(new Error(`The server has ended: ${errors.slice(-500)}`));
      resolve();
    });
  });
  readMessages(server, take);
  const request = <T>(method: string, params: unknown, limit = TIMEOUT_MS): Promise<T> => {
    const id = ++serial;
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} is not answered.`)), limit);
      const end =
        <A>(act: (value: A) => void) =>
        (value: A) => {
          clearTimeout(timer);
          act(value);
        };
      waiting.set(id, { resolve: end((result) => resolve(result as T)), reject: end(reject) });
      send({ id, method, params });
    });
  };
  return {
    pid: server.pid ?? 0,
    started,
    notify: (method, params) => send({ method, params }),
    request,
    async close() {
      await request('shutdown', null, 2000).catch(() => {});
      send({ method: 'exit' });
      const force = setTimeout(() => server.kill('SIGKILL'), 1000);
      await exited;
      clearTimeout(force);
    },
  };
}

function readMessages(server: ChildProcessWithoutNullStreams, take: (message: Message) => void): void {
  let buffer: Buffer = Buffer.alloc(0);
  server.stdout.on('data', (chunk: Buffer) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    for (;;) {
      const end = buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(buffer.toString('latin1', 0, end))?.[1]);
      if (buffer.length < end + 4 + length) return;
      const body = buffer.toString('utf8', end + 4, end + 4 + length);
      buffer = buffer.subarray(end + 4 + length);
      take(JSON.parse(body) as Message);
    }
  });
}
