/** Runs child processes, and finds programs on the PATH. Works before `npm ci`, except for Windows scripts. */
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Plain, say } from './say.mjs';

/**
 * Starts a program with unchanged arguments. On Windows, many programs are scripts, which need a shell.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export async function start(file, args, options) {
  const isScript = process.platform === 'win32' && !file.endsWith('.exe');
  return isScript ? (await import('cross-spawn')).default(file, args, options) : spawn(file, args, options);
}

/**
 * Runs a program to its end, and returns its output, or passes it to `print` while the program runs.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, print?: (text: string) => void}} [options]
 * @returns {Promise<{code: number, output: string, stdout: string}>} `output` is the end of the program's output, and
 *   `stdout` the end of its standard output
 */
export async function run(file, args, options = {}) {
  const { cwd, env = process.env } = options;
  const child = await start(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let [output, stdout] = ['', ''];
    const keep = (/** @type {string} */ text) => {
      output = (output + text).slice(-20_000);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', options.print ?? keep);
    child.stdout?.on('data', (/** @type {string} */ text) => {
      stdout = (stdout + text).slice(-20_000);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 1 : 0), output, stdout }));
  });
}

/**
 * Runs a program like `run`, and returns its standard output, or throws an error with the shortened output if it fails.
 * `tries` above 1 is for programs that use the network.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, tries?: number}} [options]
 */
export async function must(file, args, options = {}) {
  const tries = options.tries ?? 1;
  for (let attempt = 1; ; attempt++) {
    const { code, output, stdout } = await run(file, args, options);
    if (code === 0) return stdout;
    const command = [file, ...args].join(' ');
    // Usage errors of npm are not retried, because they would occur again.
    if (attempt >= tries || output.includes('EUSAGE')) {
      throw new Plain(`\`${command}\` failed with status ${code}.\n${shortened(output)}`);
    }
    say(`  \`${command}\` failed; trying again (${attempt} of ${tries - 1})`);
    await sleep(2000 * attempt);
  }
}

/** @param {string} output */
const shortened = (output) => (output.length < 4000 ? output : `${output.slice(0, 2000)}\n…\n${output.slice(-2000)}`);

/**
 * Runs the npm that started this process, if any, so that the version and settings of npm stay the same.
 *
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, tries?: number}} [options]
 */
export function npm(args, options = {}) {
  // The path next to Node on Windows, where `npm` is a script.
  const beside = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const started = process.env.npm_execpath ?? (existsSync(beside) ? beside : undefined);
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  if (started?.endsWith('.js')) return must(process.execPath, [started, ...args, ...quiet], { tries: 3, ...options });
  return must('npm', [...args, ...quiet], { tries: 3, ...options });
}

/**
 * Returns the path of a program on the PATH.
 *
 * @param {readonly string[]} names
 * @returns {string | undefined}
 */
export function findOnPath(names) {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      if (folder === '' || folder.includes('node_modules')) continue;
      for (const suffix of suffixes) {
        const path = join(folder, name + suffix);
        if (isExecutable(path)) return path;
      }
    }
  }
  return undefined;
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
