/**
 * The installed command line: the tarball installed in an empty folder, and run by the given Node or else by the
 * current one.
 */
import assert from 'node:assert/strict';
import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import spawnProgram from 'cross-spawn';
import { temporaryFolder } from '../temporary.mjs';

/** The tarball of `package:cli`. */
export const TARBALL = process.env.SKILL_COMPOSER_TARBALL ?? '';

/** The path of the Node that runs the command line. */
export const NODE = process.env.SKILL_COMPOSER_NODE ?? process.execPath;

/** The folder with the installed tarball; its programs are in `node_modules/.bin`. */
export const installed: string = temporaryFolder({ 'package.json': '{"private": true}\n' });
const ownPath = `${dirname(NODE)}${delimiter}${process.env.PATH}`;
// On Windows, `npm` is a script, which Node can start only in a shell.
const { status } = spawnProgram.sync(
  'npm',
  ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', TARBALL],
  { cwd: installed, env: { ...process.env, PATH: ownPath }, stdio: 'inherit' },
);
assert.equal(status, 0, 'the tarball can be installed');
const bin = join(installed, 'node_modules', '.bin');

/** The environment with `skill-composer` on the PATH. */
export const env = {
  ...process.env,
  PATH: `${bin}${delimiter}${ownPath}`,
  ...{ GITHUB_STEP_SUMMARY: '', GITHUB_OUTPUT: '', NODE_OPTIONS: '' },
};

/** Runs the installed command. */
export const program = join(bin, 'skill-composer');

export const runIn = (cwd: string, ...words: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(program, words, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Sends a string to the standard input of a server, and returns its output up to the first match. */
export async function answerOf(
  words: readonly string[],
  input: string,
  until: RegExp,
  {
    run = program,
    ...options
  }: { readonly run?: string; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const server = spawn(run, words, { cwd: installed, env, ...options });
  try {
    server.stdin.write(input);
    let answer = '';
    for await (const chunk of server.stdout) {
      answer += chunk;
      if (until.test(answer)) return answer;
    }
    return answer;
  } finally {
    server.kill();
  }
}

/** Runs git with an author name. */
export const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
    encoding: 'utf8',
  });

/** Creates a repository with these files in one commit on `main`. */
export function repositoryWith(files: Readonly<Record<string, string>>): string {
  return committed(temporaryFolder(files));
}

/** Creates a repository with the skills of the sample workspace. */
export function workspace(): string {
  const folder = temporaryFolder();
  for (const path of ['skills', 'contracts', 'skills.config.yaml', 'mistakes/unknown-tool.skill.md']) {
    cpSync(join('samples', path), join(folder, path), { recursive: true });
  }
  return committed(folder);
}

function committed(folder: string): string {
  git(folder, 'init', '--quiet', '--initial-branch', 'main');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'first');
  return folder;
}
