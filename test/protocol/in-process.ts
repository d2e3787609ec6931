/**
 * Runs a bundled script in this process with its own `process` object, because starting Node takes most of the time of
 * a short test. Each run evaluates the script and the scripts that it loads again, so that runs share no state.
 */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { compileFunction, constants } from 'node:vm';
import { SharedWorker } from './shared-worker.ts';

export interface Script {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The exit status; resolves after the script has set the status and its output has been read. */
  readonly ended: Promise<number>;
  /** Ends the timers, threads and programs of the script, like the end of a process. */
  readonly dispose: () => Promise<void>;
}

/**
 * @param file the path of a script of `dist`
 * @param cwd the working folder that the script sees
 */
export function runInProcess(
  file: string,
  words: readonly string[],
  { cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Script {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const workers: SharedWorker[] = [];
  const children: ChildProcess[] = [];
  const timers: NodeJS.Timeout[] = [];
  let end: (status: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  }).then(async (status) => {
    while (stdout.readableLength + stderr.readableLength > 0) await new Promise(setImmediate);
    return status;
  });

  const own: NodeJS.Process = Object.create(process, {
    argv: { value: [process.execPath, file, ...words] },
    cwd: { value: () => cwd },
    env: { value: env },
    stdin: { value: stdin },
    stdout: { value: stdout },
    stderr: { value: stderr },
    exit: { value: end },
    exitCode: { set: end },
    // Signals and uncaught errors belong to the process of the tests.
    on: { value: () => own },
    off: { value: () => own },
  });
  const noted =
    (start: typeof setTimeout | typeof setInterval) =>
    (...given: Parameters<typeof setTimeout>): NodeJS.Timeout => {
      const timer = start(...given);
      timers.push(timer);
      return timer;
    };
  const ownTimers = { setTimeout: noted(setTimeout), setInterval: noted(setInterval) };
  const ownGlobals: Record<PropertyKey, unknown> = { process: own, ...ownTimers };
  // Getters of the global object require it as `this`.
  const ownGlobal = new Proxy(ownGlobals, {
    get: (_, name) => (name in ownGlobals ? ownGlobals[name] : Reflect.get(globalThis, name)),
    has: (_, name) => name in ownGlobals || name in globalThis,
  });
  const replaced = new Map<string, (original: never) => unknown>([
    ['process', () => own],
    [
      'worker_threads',
      (threads: typeof import('node:worker_threads')) => ({
        ...threads,
        Worker: class extends SharedWorker {
          constructor(...given: ConstructorParameters<typeof SharedWorker>) {
            super(...given);
            workers.push(this);
          }
        },
      }),
    ],
    [
      'child_process',
      (programs: typeof import('node:child_process')) => ({
        ...programs,
        spawn: (...given: Parameters<typeof programs.spawn>) => {
          const child = programs.spawn(...given);
          children.push(child);
          return child;
        },
      }),
    ],
  ]);

  const loaded = new Map<string, { exports: unknown }>();
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known) return known.exports;
    const script = { exports: {} as unknown };
    loaded.set(path, script);
    const original = createRequire(path);
    const require = (name: string): unknown => {
      if (name.startsWith('./')) return load(join(dirname(path), name));
      const replace = replaced.get(name.replace(/^node:/, ''));
      return replace ? replace(original(name) as never) : original(name);
    };
    // A script creates its own `require` to load another script later.
    replaced.set('module', (modules: typeof import('node:module')) => ({ ...modules, createRequire: () => require }));
    const { setTimeout, setInterval } = ownTimers;
    compiled(path)(script.exports, require, script, path, dirname(path), own, ownGlobal, setTimeout, setInterval);
    return script.exports;
  };
  load(file);

  return {
    stdin,
    stdout,
    stderr,
    ended,
    dispose: async () => {
      stdin.end();
      for (const timer of timers) clearTimeout(timer);
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** The global names that are replaced for a script. */
const PARAMETERS = [
  ...['exports', 'require', 'module', '__filename', '__dirname'],
  ...['process', 'globalThis', 'setTimeout', 'setInterval'],
];

const functions = new Map<string, ReturnType<typeof compileFunction>>();

/** Returns the script as a function, which is compiled once. */
function compiled(path: string): ReturnType<typeof compileFunction> {
  const known = functions.get(path);
  if (known) return known;
  const made = compileFunction(readFileSync(path, 'utf8').replace(/^#!/, '//'), PARAMETERS, {
    filename: path,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  functions.set(path, made);
  return made;
}
