/**
 * A client at a pseudo-terminal, which util-linux' `script` makes: what a person types, and the text of the screen.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { endProcessesOf } from '../server/src/io/temporary-folder.ts';
import type { Start } from '../server/src/services/observing/observed-client.ts';
import { environment } from '../server/src/services/observing/process.ts';
import type { LabRun, Terminal } from './client.ts';

/** The time in which a client must accept input, in milliseconds. */
const MAX_START = 60_000;
const STEP = 100;
/** The time between two keys of a text. */
const KEY = 30;
/** The time in which a client finishes its start after it shows its prompt. */
const SETTLE = 4_000;
/** Clients take characters that arrive together for a paste, also with the key after them. */
const PAUSE = 800;

/** Queries of a program to its terminal, with the answers. */
const QUERIES: readonly (readonly [string, string])[] = [
  ['\x1b[6n', '\x1b[1;1R'],
  ['\x1b[c', '\x1b[?62;22c'],
  ['\x1b[0c', '\x1b[?62;22c'],
  ['\x1b]10;?', '\x1b]10;rgb:ffff/ffff/ffff\x1b\\'],
  ['\x1b]11;?', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
];

export class Session {
  readonly #terminal: Terminal;
  readonly #child: ChildProcess;
  readonly #pidFile: string;
  #raw = '';
  #mark = 0;
  #hasEnded = false;
  readonly #home: string;
  readonly #endAll = (): void => {
    this.#child.kill('SIGKILL');
    endProcessesOf(this.#home);
  };

  constructor(run: LabRun, terminal: Terminal) {
    mkdirSync(join(run.home, 'tmp'), { recursive: true });
    this.#terminal = terminal;
    this.#home = run.home;
    process.once('exit', this.#endAll);
    this.#pidFile = join(run.home, 'tmp', 'session.pid');
    const { args, env = {} }: Start = terminal.start(run);
    const words = [run.program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const { NO_COLOR: _, ...usual } = environment(run);
    this.#child = spawn(
      'script',
      ['-qfc', `stty rows 50 cols 160; echo $$ > '${this.#pidFile}'; exec ${words}`, '/dev/null'],
      {
        cwd: run.start,
        env: { ...usual, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    this.#child.stdin?.on('error', () => undefined);
    this.#child
      .on('error', () => undefined)
      .on('exit', () => {
        this.#hasEnded = true;
      });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#take(text));
  }

  #take(text: string): void {
    this.#raw += text;
    for (const [query, answer] of QUERIES) if (text.includes(query)) this.#child.stdin?.write(answer);
  }

  /** The text that was written to the screen since the last typed text. */
  get screen(): string {
    return textOf(this.#raw.slice(this.#mark));
  }

  /**
   * Waits until the client accepts input, and answers its questions at the start.
   *
   * @returns the questions that were answered, in their order
   * @throws Error with the end of the screen if the client does not accept input in time
   */
  async start(): Promise<readonly string[]> {
    const { ready, dialogs = [] } = this.#terminal;
    const answered: string[] = [];
    let seen = 0;
    const isReady = await this.until(async () => {
      const text = textOf(this.#raw.slice(seen));
      const dialog = dialogs.find(({ text: question }) => question.test(text));
      const name = dialog?.text.exec(text)?.[0].replace(/\s+/g, ' ').trim();
      if (dialog && name !== undefined && answered.length < MAX_DIALOGS) {
        await sleep(PAUSE);
        seen = this.#raw.length;
        answered.push(name);
        await this.press(dialog.keys);
        return false;
      }
      return ready.test(text);
    }, MAX_START);
    if (!isReady) throw new Error(`The client does not accept input:\n${textOf(this.#raw).slice(-3_000)}`);
    await sleep(SETTLE);
    return answered;
  }

  /** Types a text, then Enter. */
  async type(text: string): Promise<void> {
    this.#mark = this.#raw.length;
    for (const character of text) {
      this.#child.stdin?.write(character);
      await sleep(KEY);
    }
    await sleep(2 * PAUSE);
    await this.press(['\r']);
  }

  /** Presses keys, one after the other. */
  async press(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#child.stdin?.write(key);
      await sleep(PAUSE / 2);
    }
  }

  /** Waits for a condition. Returns false if it is not true in time, or if the client ends before. */
  async until(isTrue: () => boolean | Promise<boolean>, milliseconds: number): Promise<boolean> {
    for (let passed = 0; passed < milliseconds; passed += STEP) {
      if (await isTrue()) return true;
      if (this.#hasEnded) return false;
      await sleep(STEP);
    }
    return false;
  }

  /** Ends the client, which leads a session of its own, and `script`. */
  async end(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      try {
        process.kill(-Number(readFileSync(this.#pidFile, 'utf8')), signal);
      } catch {
        // The client has ended.
      }
      if (await this.until(() => this.#hasEnded, 1_500)) break;
    }
    this.#child.kill('SIGKILL');
    process.removeListener('exit', this.#endAll);
    endProcessesOf(this.#home);
  }
}

/** A client that asks more often is not understood. */
const MAX_DIALOGS = 8;

/** Returns the text of terminal output: movements of the cursor become spaces and line breaks. */
export const textOf = (raw: string): string =>
  stripVTControlCharacters(
    raw
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a movement.
      .replace(/\x1b\[\d*G/g, ' ')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a movement.
      .replace(/\x1b\[(\d*)C/g, (_, count: string) => ' '.repeat(Math.min(Number(count || 1), 160)))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a movement.
      .replace(/\x1b\[[\d;]*[ABEFHdfJK]/g, '\n')
      .replaceAll('\r', '\n'),
  );
