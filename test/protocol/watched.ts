/** A command that runs with `--watch` while files are edited on disk. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLI, folderWith } from './cli.ts';
import { until } from './until.ts';

export interface Watched {
  /** Waits until the output since the last matching call matches, and returns it. */
  stdoutMatched(what: RegExp): Promise<string>;
  /** Waits for a line on stderr, which may be repeated; stderr contains no other lines. */
  stderrMatched(what: RegExp): Promise<void>;
  write(path: string, text: string): void;
  readonly folder: string;
  readonly stdin: NodeJS.WritableStream;
  readonly ended: Promise<number | null>;
}

/** Adds the text to an error. */
const shownWith =
  (text: () => string) =>
  (error: Error): never => {
    throw new Error(`${error.message} It contains: ${text()}`);
  };

/** Runs `COMMAND --watch` in a folder with these files. */
export async function watching(
  command: string,
  files: Readonly<Record<string, string>>,
  work: (watched: Watched) => Promise<void>,
  ...words: readonly string[]
): Promise<void> {
  const folder = folderWith(files);
  const child = spawn(process.execPath, [CLI, command, '--watch', ...words], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
  });
  let out = '';
  let errors = '';
  const told: RegExp[] = [];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  try {
    await work({
      folder,
      ended,
      stdin: child.stdin,
      async stdoutMatched(what) {
        await until(`${what} on stdout`, () => what.test(out)).catch(shownWith(() => out));
        const text = out;
        out = '';
        return text;
      },
      async stderrMatched(what) {
        told.push(what);
        await until(`${what} on stderr`, () => what.test(errors)).catch(shownWith(() => errors));
      },
      write(path, text) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      },
    });
    // A screen that is shown again repeats the line.
    const lines = errors.split('\n').filter((line) => line !== '' && !told.some((what) => what.test(line)));
    assert.deepEqual(lines, []);
  } finally {
    child.kill('SIGKILL');
  }
}
