/** Runs git without running programs that the repository configures, and without fetching. */
import { execFile } from 'node:child_process';
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import { MAX_FILE_BYTES } from '../protocol/files.ts';
import { UNREADABLE } from '../workspace/unreadable.ts';
import { textOf } from './read-file.ts';
import { textIn } from './read-named.ts';
import { isReallyWithin } from './real-path.ts';
import { UserError } from './user-error.ts';

const run = promisify(execFile);

/** The reason if git's output is larger than the limit for files. */
const TOO_LARGE = UNREADABLE['too-large'].reason;

/** Options that prevent git from running programs that the repository configures. */
const SAFE_OPTIONS: readonly string[] = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  ...['core.fsmonitor=', 'core.hooksPath=/dev/null', 'protocol.allow=never', 'safe.bareRepository=explicit'].flatMap(
    (one) => ['-c', one],
  ),
];

/** Prevents fetching missing objects, since fetching may start a program. Sets the language of messages to English. */
const ENVIRONMENT = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };

/** Variables that git hooks set, and that would select a repository other than the file's. */
const RELOCATING = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_NAMESPACE', 'GIT_PREFIX'];

export interface Ran {
  readonly ok: boolean;
  readonly stdout: string;
  readonly bytes: Buffer;
  /** The error message of git, on one line. */
  readonly reason: string;
}

export type Git = (...words: readonly string[]) => Promise<Ran>;

/**
 * Returns git for the folder of a file, or undefined outside a repository. Throws a `UserError` if git is not
 * installed.
 */
export async function gitFor(path: string, maxBytes = MAX_FILE_BYTES): Promise<Git | undefined> {
  const folder = dirname(path);
  const workspace = await repositoryAbove(folder);
  if (workspace === undefined) return undefined;
  const { env, platform } = process;
  const program = await findProgram('git', { path: env.PATH ?? '', platform, workspace });
  if (program === undefined) {
    throw new UserError(
      '`git` is not in any PATH folder outside the repository. Install it, or use `--base-file FILE`.',
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

/** Returns the topmost folder with a repository, since a file's repository may be a submodule of another repository. */
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

// The checks that a repository must pass before anything is read from it.

/**
 * Throws a `UserError` outside a work tree. `what` is the subject of the message; `otherwise` is an alternative, in the
 * imperative.
 */
export async function assertWorkTree(git: Git, what: string, otherwise: string): Promise<void> {
  const { ok, stdout, reason } = await git('rev-parse', '--is-inside-work-tree');
  if (ok && stdout.trim() === 'true') return;
  if (/dubious ownership/.test(reason)) {
    throw new UserError(
      `The repository of ${what} belongs to another user, so git does not read it. Add it to git's \`safe.directory\` if you trust it, or ${otherwise}.`,
    );
  }
  throw new UserError(
    `${capitalised(what)} is not in a git work tree${reason && ` (${reason})`}. ${capitalised(otherwise)}.`,
  );
}

interface Asked {
  readonly option: string;
  readonly otherwise: string;
}

/** Returns the hash of the commit that `ref` names. Throws a `UserError` if it does not exist. */
export async function commitOf(git: Git, ref: string, { option, otherwise }: Asked): Promise<string> {
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  if (commit.ok) return commit.stdout.trim();
  const isKnown = (await git('rev-parse', '--verify', '--quiet', '--end-of-options', ref)).ok;
  const reason = isKnown
    ? 'not a commit, or the commit is missing in this clone'
    : ref === 'HEAD'
      ? 'the repository has no commits'
      : `the commit does not exist${(await isShallow(git)) ? ' in this shallow clone. Run `git fetch --unshallow` to fetch all commits' : ''}`;
  throw new UserError(`\`${option}\`: ${reason}. ${capitalised(otherwise)}.`);
}

/** Returns whether the clone is shallow. A shallow clone does not contain older commits. */
export const isShallow = async (git: Git): Promise<boolean> =>
  (await git('rev-parse', '--is-shallow-repository')).stdout.trim() === 'true';

const capitalised = (text: string): string => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/**
 * The parameters of a search for a program along PATH. The system's search may begin in the current folder, and PATH
 * may contain folders in the workspace, for example under `npx`. A program in the workspace must not be run.
 */
interface Search {
  /** The value of the environment variable PATH. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  /** The folder whose files must not be run. */
  readonly workspace: string;
}

/** Returns the absolute paths at which a program may be, in the order of PATH. */
export function programPaths(name: string, { path, platform, workspace }: Search): readonly string[] {
  const isWindows = platform === 'win32';
  const { delimiter, join } = isWindows ? win32 : posix;
  // Scripts such as `git.cmd` would require a shell.
  const names = isWindows ? [`${name}.exe`, `${name}.com`] : [name];
  const entries = path.split(delimiter).map((entry) => (isWindows ? entry.replace(/^"(.*)"$/, '$1') : entry));
  return entries
    .filter((entry) => isFixed(entry, isWindows) && !isInside(entry, workspace, isWindows))
    .flatMap((entry) => names.map((file) => join(entry, file)));
}

/** Returns whether a path is absolute. On Windows, `\bin` and `C:bin` depend on the current drive and folder. */
const isFixed = (entry: string, isWindows: boolean): boolean =>
  isWindows ? /^([a-z]:|[\\/]{2}[^\\/]+)[\\/]/i.test(entry) : entry.startsWith('/');

/** Returns whether a path is in the workspace. A workspace that is a root of the file system does not count. */
function isInside(path: string, workspace: string, isWindows: boolean): boolean {
  const { normalize, parse, relative, isAbsolute, sep } = isWindows ? win32 : posix;
  if (parse(normalize(workspace)).root === normalize(workspace)) return false;
  const relativePath = relative(workspace, path);
  return !isAbsolute(relativePath) && relativePath !== '..' && !relativePath.startsWith(`..${sep}`);
}

/** Returns the first path that is a program, or undefined. Skips links into the workspace. */
export async function findProgram(name: string, search: Search): Promise<string | undefined> {
  for (const path of programPaths(name, search)) {
    if (await isReallyWithin([search.workspace], path)) continue;
    const found = await stat(path).catch(() => undefined);
    const isProgram = found?.isFile() && (search.platform === 'win32' || (found.mode & 0o111) !== 0);
    if (isProgram) return path;
  }
  return undefined;
}

// Reads a skill's baseline from a commit.

const OTHERWISE = 'use `--base-file FILE`';

/** Returns the text of a file in a commit, or undefined if the commit does not have the file. */
export async function readFromGit(path: string, ref: string): Promise<string | undefined> {
  // Resolve links, because git has the history of the target and not of the link.
  const real = await realpath(path);
  const name = basename(real);
  const git = await gitFor(real);
  if (!git) throw new UserError(`\`${name}\` is not in a git repository. ${capitalised(OTHERWISE)}.`);
  await assertWorkTree(git, `\`${name}\``, OTHERWISE);
  const commit = await commitOf(git, ref, {
    option: `--base ${ref}`,
    otherwise: 'use another commit, or `--base-file FILE`',
  });
  const entry = await git('ls-tree', '-z', commit, '--', name);
  if (!entry.ok)
    throw new UserError(`\`${ref}\` cannot be read: ${entry.reason}. Fetch the whole commit, or ${OTHERWISE}.`);
  if (entry.stdout === '') return undefined;
  const [mode = '', , object = ''] = entry.stdout.split(/[ \t]/);
  if (!mode.startsWith('100'))
    throw new UserError(`\`${name}\` is not a file in \`${ref}\`. ${capitalised(OTHERWISE)}.`);
  const blob = await git('cat-file', 'blob', object);
  if (blob.ok) return textIn(textOf(blob.bytes), `${ref}:${name}`);
  if (blob.reason === TOO_LARGE) throw new UserError(`\`${name}\` cannot be read from \`${ref}\`: ${TOO_LARGE}.`);
  throw new UserError(
    `The content of \`${name}\` in \`${ref}\` is missing in this clone (${blob.reason}). Run \`git show ${ref}:./${name}\` to fetch it, or ${OTHERWISE}.`,
  );
}
