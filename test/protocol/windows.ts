/** Runs the bundles in a simulated Windows (`servers/windows.mjs`) and on this system, with the same files. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLI, folderWith, type RunResult, run } from './cli.ts';

const HOST = pathToFileURL(resolve('test/protocol/servers/windows.mjs')).href;

export const WORK = 'C:\\Users\\Ana Ü\\Work';

export interface Machine {
  /** The path of the working folder on this machine. */
  readonly here: string;
  write(path: string, text: string): void;
  /** Runs the command line on Windows. */
  windows(words: readonly string[], cwd?: string): Promise<RunResult>;
  /** The language server on Windows. */
  serve(): ChildProcess;
  git(...words: readonly string[]): void;
}

/**
 * Creates a drive with `files` in `WORK`. `others` contains further files, by their paths below the folder that
 * contains the drives.
 */
export function machineWith(
  files: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Machine {
  const inWork = Object.entries(files).map(([path, text]) => [`c/Users/Ana Ü/Work/${path}`, text]);
  const root = folderWith({ ...Object.fromEntries(inWork), ...others, 'c/Git/cmd/git.exe': '' });
  const here = join(root, 'c', 'Users', 'Ana Ü', 'Work');
  const environment = (cwd: string): NodeJS.ProcessEnv => ({
    ...{ ...process.env, NO_COLOR: '', FORCE_COLOR: '', NODE_OPTIONS: '', PATH: 'C:\\Git\\cmd' },
    ...{ WINDOWS_FILES: root, WINDOWS_CWD: cwd, WINDOWS_REAL_PATH: process.env.PATH },
  });
  const start = (script: string, words: readonly string[], cwd: string): ChildProcess =>
    spawn(process.execPath, ['--import', HOST, script, ...words], { cwd: here, env: environment(cwd) });
  return {
    here,
    write(path, text) {
      mkdirSync(dirname(join(here, path)), { recursive: true });
      writeFileSync(join(here, path), text);
    },
    windows: (words, cwd = WORK) =>
      new Promise((done, fail) => {
        const child = start(CLI, words, cwd);
        const said = { stdout: '', stderr: '' };
        child.stdin?.end();
        for (const name of ['stdout', 'stderr'] as const) {
          child[name]?.setEncoding('utf8').on('data', (text) => {
            said[name] += text;
          });
        }
        child.on('error', fail).on('close', (status) => done({ status, ...said }));
      }),
    serve: () => start(resolve('dist/server.js'), ['--stdio'], WORK),
    git: (...words) =>
      void execFileSync('git', ['-C', here, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words]),
  };
}

/** Returns the output of the command line on Windows and on this system. */
export const both = (machine: Machine, words: readonly string[]): Promise<readonly [RunResult, RunResult]> =>
  Promise.all([machine.windows(words), run(machine.here, words)]);
