/**
 * Simulates Node on Windows for a bundle that is started with `--import` of this module: Windows paths, a drive `C:`
 * with case-insensitive names, a share `\\server\team` and invalid characters in names. The files are in the folder
 * `WINDOWS_FILES`: `c` is the drive, `unc` the shares. A path without a drive or a share is a path of this machine.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import promises from 'node:fs/promises';
import Module from 'node:module';
import { join, sep, win32 } from 'node:path';
import { promisify } from 'node:util';
import workers from 'node:worker_threads';

const files = process.env.WINDOWS_FILES ?? '';
const cwd = process.env.WINDOWS_CWD ?? 'C:\\';

const FORBIDDEN = /[<>:"|?*\p{Cc}]/u;

/**
 * Returns the path on this machine for a path on Windows.
 *
 * @param {unknown} path
 */
function toReal(path) {
  if (typeof path !== 'string') return path;
  const plain = path.replace(/^\\\\\?\\(?:UNC\\)?/, (prefix) => (prefix.endsWith('UNC\\') ? '\\\\' : ''));
  if (/^[\\/](?![\\/])/.test(plain)) return plain.replaceAll('\\', '/');
  const { root } = win32.parse(win32.resolve(cwd, plain));
  const names = win32
    .resolve(cwd, plain)
    .slice(root.length)
    .split('\\')
    .filter((name) => name !== '');
  const drive = /^([a-z]):/i.exec(root)?.[1];
  const start = drive ? [drive] : ['unc', ...root.split('\\').filter((name) => name !== '')];
  for (const name of names) {
    if (!FORBIDDEN.test(name)) continue;
    throw Object.assign(new Error(`ENOENT: no such file or directory, '${path}'`), {
      code: 'ENOENT',
      errno: -4058,
      path,
    });
  }
  return [...start, ...names].reduce(below, files);
}

/**
 * Returns the name in the spelling of the disk, or else unchanged.
 *
 * @param {string} folder
 * @param {string} name
 */
function below(folder, name) {
  const written = name.replace(/[. ]+$/, '') || name;
  const same = (/** @type {string} */ one) => one.toLowerCase() === written.toLowerCase();
  let found = [written];
  try {
    found = fs.readdirSync(folder).filter(same);
  } catch {
    // The folder does not exist.
  }
  return join(folder, found[0] ?? written);
}

/**
 * @param {unknown} path
 * @returns {unknown} the Windows path for a path on this machine
 */
function toWindows(path) {
  if (typeof path !== 'string' || !path.startsWith(`${files}/`)) return path;
  const [first = '', ...names] = path.slice(files.length + 1).split(sep);
  return first === 'unc' ? `\\\\${names.join('\\')}` : `${first.toUpperCase()}:\\${names.join('\\')}`;
}

/** The functions with two paths as arguments; all other functions have a path only as the first argument. */
const OF_TWO = new Set(['rename', 'renameSync', 'link', 'symlink', 'copyFile', 'copyFileSync', 'cp']);
const GIVES_PATH = new Set(['realpath', 'realpathSync', 'readlink', 'readlinkSync', 'mkdtemp', 'mkdtempSync']);

/**
 * @param {object} library
 * @returns {object} the same functions, with Windows paths
 */
function onWindows(library) {
  return new Proxy(library, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === 'promises') return promisesOnWindows;
      if (typeof value !== 'function' || typeof name !== 'string' || /^[A-Z]/.test(name)) return value;
      const count = OF_TWO.has(name) ? 2 : 1;
      /** @param {unknown[]} words */
      const call = (...words) => {
        const given = words.map((word, at) => (at < count ? toReal(word) : word));
        const result = value.apply(target, given);
        if (!GIVES_PATH.has(name)) return result;
        return result instanceof Promise ? result.then(toWindows) : toWindows(result);
      };
      // With the promise functions, an invalid path rejects the promise.
      return target === promises ? async (/** @type {unknown[]} */ ...words) => call(...words) : call;
    },
  });
}

const promisesOnWindows = onWindows(promises);
const fsOnWindows = onWindows(fs);

/** @param {string} word */
const argument = (word) => (/^([a-z]:|\\)\\/i.test(word) ? String(toReal(word)) : word);

const runReally = promisify(childProcess.execFile);

/** Runs programs of this machine by their file names without `.exe` or `.com`. Only the promise form is supported. */
const execFile = Object.assign(() => {}, {
  /** @type {(file: string, words: readonly string[], options: import('node:child_process').ExecFileOptions) => unknown} */
  [promisify.custom]: (file, words, options) => {
    const env = { ...options.env, PATH: process.env.WINDOWS_REAL_PATH };
    return runReally(win32.basename(file).replace(/\.(exe|com)$/i, ''), words.map(argument), { ...options, env });
  },
});

class Worker extends workers.Worker {
  /**
   * @param {string} file
   * @param {workers.WorkerOptions} options
   */
  constructor(file, options) {
    super(/** @type {string} */ (toReal(file)), options);
  }
}

/** @type {Record<string, unknown>} */
const replaced = {
  path: win32,
  fs: fsOnWindows,
  'fs/promises': promisesOnWindows,
  child_process: { ...childProcess, execFile },
  worker_threads: { ...workers, Worker },
};

const loader = /** @type {{_load: (request: string, ...rest: unknown[]) => unknown}} */ (
  /** @type {unknown} */ (Module)
);
const load = loader._load;
loader._load = (request, ...rest) => {
  // Until the bundle loads its first `node:` module, Node itself needs the real platform to resolve files.
  if (request.startsWith('node:') && process.platform !== 'win32') {
    Object.defineProperty(process, 'platform', { value: 'win32' });
    process.cwd = () => cwd;
  }
  return replaced[request.replace(/^node:/, '')] ?? load.call(Module, request, ...rest);
};
