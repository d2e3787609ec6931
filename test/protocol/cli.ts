/** Runs the bundled command line in folders made for the purpose. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after } from 'node:test';

export const CLI = resolve('dist/cli.cjs');

export interface Ran {
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

/** Runs the command line; `how` may set the environment, or another user. */
export function run(
  cwd: string,
  words: readonly string[],
  how: { env?: NodeJS.ProcessEnv; uid?: number } = {},
): Promise<Ran> {
  return new Promise((done, fail) => {
    const env = { ...process.env, NO_COLOR: '', FORCE_COLOR: '', NODE_OPTIONS: '', ...how.env };
    const { uid } = how;
    const child = spawn(process.execPath, [CLI, ...words], { cwd, env, ...(uid === undefined ? {} : { uid }) });
    let stdout = '';
    let stderr = '';
    child.stdin.end();
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', fail).on('close', (status) => done({ status, stdout, stderr }));
  });
}

/** `check --format json`, read. Anything on stderr fails the test. */
export async function checkJson(cwd: string, ...words: string[]): Promise<Json & { readonly status: number | null }> {
  const { status, stdout, stderr } = await run(cwd, ['check', '--format', 'json', ...words]);
  assert.equal(stderr, '');
  return { ...(JSON.parse(stdout) as Json), status };
}

/** `file rule` for the findings of the given rules, in the order in which they came. */
export const said = ({ findings }: Json, ...rules: string[]): string[] =>
  findings.filter(({ rule }) => rules.includes(rule)).map(({ file, rule }) => `${file} ${rule}`);

/** The run says one line on stderr, nothing on stdout, and ends with 2. */
export function assertStopped({ status, stdout, stderr }: Ran, message: RegExp): void {
  assert.match(stderr, message);
  assert.equal(stderr.split('\n').length, 2, `one line, not ${JSON.stringify(stderr)}`);
  assert.equal(stdout, '');
  assert.equal(status, 2);
}

const made: string[] = [];

after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new folder with these files; its path has no symbolic link in it. */
export function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'skill-composer-'));
  made.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** A skill that has no errors by itself; `lines` go into its frontmatter. */
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
