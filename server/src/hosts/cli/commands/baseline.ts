/** Reads a skill's baseline: a named file, or the same file in a commit. Git is started without a shell. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf, Stop } from '../stop.ts';

const run = promisify(execFile);

const MAX_BYTES = 64 * 1024 * 1024;

/** A repository's configuration may name programs to run; these options keep git from running them. */
const SAFE_OPTIONS: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  ...['core.fsmonitor=', 'core.hooksPath=/dev/null', 'safe.bareRepository=explicit'].flatMap((one) => ['-c', one]),
];

/** Missing objects are not fetched, since fetching may start a program, too. */
const NO_FETCH = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' };

export async function readBaselineFile(cwd: string, path: string): Promise<string> {
  return readFile(resolve(cwd, path), 'utf8').catch((error: unknown) => {
    throw new Stop(`\`--base-file ${path}\` cannot be read: ${reasonOf(error)}.`);
  });
}

/** The text that a file has in a commit; undefined where the commit does not have the file. */
export async function readFromGit(path: string, ref: string): Promise<string | undefined> {
  const git = (...words: readonly string[]) =>
    run('git', [...SAFE_OPTIONS, '-C', dirname(path), ...words], {
      maxBuffer: MAX_BYTES,
      encoding: 'utf8',
      env: { ...process.env, ...NO_FETCH },
    }).then(({ stdout }) => stdout);
  await git('rev-parse', '--is-inside-work-tree').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Stop('`git` is not installed: name the baseline with `--base-file FILE`.');
    throw new Stop(`\`${basename(path)}\` is in no git repository: name the baseline with \`--base-file FILE\`.`);
  });
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).catch(() => {
    const reason = ref === 'HEAD' ? 'there is no commit yet' : 'there is no such commit';
    throw new Stop(`\`--base ${ref}\`: ${reason}. Name a commit, or a file with \`--base-file FILE\`.`);
  });
  const blob = `${commit.trim()}:./${basename(path)}`;
  const isThere = await git('cat-file', '-e', blob).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  return git('cat-file', 'blob', blob).catch((error: unknown) => {
    throw new Stop(`\`${basename(path)}\` cannot be read from \`${ref}\`: ${reasonOf(error).split('\n')[0]}.`);
  });
}
