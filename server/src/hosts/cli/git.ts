/** Starts git so that nothing of the repository is run, and so that nothing is fetched. */
import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { MAX_FILE_BYTES } from '../../protocol.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import { findProgram } from '../disk/find-program.ts';
import { Stop } from './stop.ts';

const run = promisify(execFile);

/** The reason where what git prints is larger than any file that is read. */
export const TOO_LARGE = UNREADABLE['too-large'].reason;

/** A repository's configuration may name programs to run; these options keep git from running them. */
const SAFE_OPTIONS: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  ...['core.fsmonitor=', 'core.hooksPath=/dev/null', 'protocol.allow=never', 'safe.bareRepository=explicit'].flatMap(
    (one) => ['-c', one],
  ),
];

/** Missing objects are not fetched, since fetching may start a program, too. Reasons come in one language. */
const ENVIRONMENT = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };

/** A hook of git sets these, which would name another repository than that of the file. */
const RELOCATING = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_NAMESPACE', 'GIT_PREFIX'];

export interface Ran {
  readonly ok: boolean;
  readonly stdout: string;
  readonly bytes: Buffer;
  /** Why it failed, in git's words: one line. */
  readonly reason: string;
}

export type Git = (...words: readonly string[]) => Promise<Ran>;

/** Git in the folder of a file; undefined where no repository holds it. Throws a `Stop` where git is missing. */
export async function gitFor(path: string, maxBytes = MAX_FILE_BYTES): Promise<Git | undefined> {
  const folder = dirname(path);
  const workspace = await repositoryAbove(folder);
  if (workspace === undefined) return undefined;
  const { env, platform } = process;
  const program = await findProgram('git', { path: env.PATH ?? '', platform, workspace });
  if (program === undefined) {
    throw new Stop(
      '`git` is not installed: no folder of PATH outside the repository has it. Install it, or name the baseline with `--base-file FILE`.',
    );
  }
  const kept = Object.entries(env).filter(([key]) => !RELOCATING.includes(key));
  const how = {
    maxBuffer: maxBytes,
    encoding: 'buffer',
    env: { ...Object.fromEntries(kept), ...ENVIRONMENT },
  } as const;
  return (...words) =>
    run(program, [...SAFE_OPTIONS, '-C', folder, ...words], how).then(
      ({ stdout }) => ({ ok: true, stdout: stdout.toString(), bytes: stdout, reason: '' }),
      (error: Failure) => ({ ok: false, stdout: '', bytes: Buffer.of(), reason: reasonIn(error) }),
    );
}

/** The topmost folder that holds a repository, since the one of a file may be a submodule of another. */
async function repositoryAbove(start: string): Promise<string | undefined> {
  let topmost: string | undefined;
  for (let folder = start; ; folder = dirname(folder)) {
    const isThere = await lstat(join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (isThere) topmost = folder;
    if (folder === dirname(folder)) return topmost;
  }
}

interface Failure {
  readonly stderr?: Buffer;
  readonly message: string;
  readonly code?: unknown;
}

function reasonIn({ stderr, message, code }: Failure): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return TOO_LARGE;
  const lines = (stderr?.toString() || message).split('\n');
  const fatal = lines.find((line) => line.startsWith('fatal: ')) ?? lines[0] ?? '';
  return fatal.replace(/^(fatal|error): /, '').replace(/\.$/, '');
}
