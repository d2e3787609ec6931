/** Runs the bundled command line in temporary folders. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { writeFiles } from '../temporary.mjs';
import { runInProcess } from './in-process.ts';

export const CLI = resolve('dist/cli.cjs');

export interface RunResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Json {
  readonly version: number;
  readonly findings: readonly {
    readonly file: string;
    readonly code: string;
    readonly rule: string;
    readonly severity: string;
    readonly message: string;
    readonly range: { readonly start: { readonly line: number; readonly character: number } };
    readonly related: readonly {
      readonly file: string;
      readonly range: { readonly start: { readonly line: number } };
    }[];
    readonly fixes: readonly { readonly title: string; readonly safe: boolean }[];
    readonly docs: string;
  }[];
  readonly summary: Readonly<Record<'files' | 'errors' | 'warnings' | 'infos' | 'hints', number>>;
}

/** Options of a run. */
interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** The id of another user; the command then runs in its own process. */
  readonly uid?: number;
}

/** Runs the command line in this process (`in-process.ts`). */
export async function run(cwd: string, words: readonly string[], how: RunOptions = {}): Promise<RunResult> {
  if (how.uid !== undefined || words[0] === 'lsp') return runAsProcess(cwd, words, how);
  const script = runInProcess(CLI, words, { cwd, env: environment(how) });
  const stdout = gathered(script.stdout);
  const stderr = gathered(script.stderr);
  script.stdin.end();
  const status = await script.ended;
  await script.dispose();
  return { status, stdout: stdout(), stderr: stderr() };
}

const environment = ({ env }: RunOptions) => ({
  ...process.env,
  NO_COLOR: '',
  FORCE_COLOR: '',
  NODE_OPTIONS: '',
  ...env,
});

/** Runs the command line in a separate process, as users do. */
export function runAsProcess(cwd: string, words: readonly string[], how: RunOptions = {}): Promise<RunResult> {
  return new Promise((done, fail) => {
    const { uid } = how;
    const env = environment(how);
    const child = spawn(process.execPath, [CLI, ...words], { cwd, env, ...(uid === undefined ? {} : { uid }) });
    const stdout = gathered(child.stdout);
    const stderr = gathered(child.stderr);
    child.stdin.end();
    child.on('error', fail).on('close', (status) => done({ status, stdout: stdout(), stderr: stderr() }));
  });
}

/** Returns a function that returns the text received so far. */
function gathered(stream: Readable): () => string {
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString();
}

/** Returns the parsed output of `check --format json`. Any output on stderr but the number of ignored files fails the test. */
export async function checkJson(cwd: string, ...words: string[]): Promise<Json & { readonly status: number | null }> {
  const { status, stdout, stderr } = await run(cwd, ['check', '--format', 'json', ...words]);
  assert.equal(stderr.replace(/^skill-composer: Left out: .*\n/, ''), '');
  return { ...(JSON.parse(stdout) as Json), status };
}

/** Returns `file rule` for each finding of the given rules, in order. */
export const rulesOf = ({ findings }: Json, ...rules: string[]): string[] =>
  findings.filter(({ rule }) => rules.includes(rule)).map(({ file, rule }) => `${file} ${rule}`);

/** Asserts that the run prints one line on stderr and nothing on stdout, and exits with 2. */
export function assertUsageError({ status, stdout, stderr }: RunResult, message: RegExp): void {
  assert.match(stderr, message);
  assert.equal(stderr.split('\n').length, 2, `one line, not ${JSON.stringify(stderr)}`);
  assert.equal(stdout, '');
  assert.equal(status, 2);
}

export { temporaryFolder as folderWith } from '../temporary.mjs';

export function write(folder: string, path: string, content: string | Buffer): void {
  writeFiles(folder, { [path]: content });
}

/** Returns a skill without errors, with `lines` in its frontmatter. */
export const skill = (name: string, ...lines: string[]): string =>
  [
    '---',
    `name: ${name}`,
    `description: Reads a page of the world for the skill ${name}.`,
    'version: 1.0.0',
    'input_schema: {}',
    ...lines,
    '---',
    '',
    'Read the page and say what is in it.',
    '',
  ].join('\n');

export const CATALOG = 'tools:\n  - {name: read_page, description: Reads a page.}\n';

/** A skill with one misspelt tool. */
export const misspelt = (name: string): string => skill(name, 'tools: [reed_page]');
