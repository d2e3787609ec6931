/** The language server as a process that receives valid and invalid messages. */
import { spawn } from 'node:child_process';
import { frame, readerOf, SERVER } from './server.ts';

export interface Answer {
  readonly id: number | string | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RawServer {
  /** Sends all messages with one write operation. */
  send(...messages: readonly object[]): void;
  write(text: string): void;
  /** The received responses, in order. */
  readonly answers: readonly Answer[];
  /** Waits for the response with this id. */
  answer(id: Answer['id']): Promise<Answer>;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  readonly stderr: () => string;
}

export const INITIALIZE = {
  id: 'initialize',
  method: 'initialize',
  params: { processId: null, rootUri: null, capabilities: {} },
};

/** Runs `body` with a server, and fails if the server does not end by itself. */
export async function withRawServer(body: (server: RawServer) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [SERVER, '--stdio'], { stdio: 'pipe' });
  const answers: Answer[] = [];
  const waiting = new Map<Answer['id'], (answer: Answer) => void>();
  readerOf(child.stdout).listen((message) => {
    if ('method' in message) return;
    const answer = message as unknown as Answer;
    answers.push(answer);
    waiting.get(answer.id)?.(answer);
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const write = (text: string) => void child.stdin.write(text);
  const answer = (id: Answer['id']) => {
    const known = answers.find((one) => one.id === id);
    if (known) return Promise.resolve(known);
    const gone = ended.then((code): never => {
      throw new Error(`The server ended with ${code} before it answered ${id}.\n${stderr}`);
    });
    return Promise.race([new Promise<Answer>((done) => waiting.set(id, done)), gone]);
  };
  try {
    await body({
      send: (...messages) => write(messages.map(frame).join('')),
      write,
      answers,
      answer,
      ended,
      stderr: () => stderr,
    });
  } finally {
    child.kill();
    await ended;
  }
}
