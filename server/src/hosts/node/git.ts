/** Starts git so that nothing of the repository is run, and so that nothing is fetched. */
import { execFile } from 'node:child_process';
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, posix, win32 } from 'node:path';
import { promisify } from 'node:util';
import { MAX_FILE_BYTES } from '../../protocol/files.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import { UserError } from '../user-error.ts';
import { textOf } from './read-file.ts';
import { textIn } from './read-named.ts';

const run = promisify(execFile);

/** The reason where what git prints is larger than any file that is read. */
const TOO_LARGE = UNREADABLE['too-large'].reason;

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

/** Git in the folder of a file; undefined where no repository holds it. Throws a `UserError` where git is missing. */
export async function gitFor(path: string, maxBytes = MAX_FILE_BYTES): Promise<Git | undefined> {
  const folder = dirname(path);
  const workspace = await repositoryAbove(folder);
  if (workspace === undefined) return undefined;
  const { env, platform } = process;
  const program = await findProgram('git', { path: env.PATH ?? '', platform, workspace });
  if (program === undefined) {
    throw new UserError(
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

// What a repository says of itself before anything is read from it.

/** `what` names what is in the work tree, `otherwise` what else somebody can do. */
export async function assertWorkTree(git: Git, what: string, otherwise: string): Promise<void> {
  const { ok, stdout, reason } = await git('rev-parse', '--is-inside-work-tree');
  if (ok && stdout.trim() === 'true') return;
  if (/dubious ownership/.test(reason)) {
    throw new UserError(
      `Git does not read the repository of ${what}, since it belongs to another user: if you trust it, add it to git's \`safe.directory\`, or ${otherwise}.`,
    );
  }
  throw new UserError(
    `${capitalised(what)} is in no work tree that git can read${reason && ` (${reason})`}: ${otherwise}.`,
  );
}

interface Asked {
  readonly option: string;
  readonly otherwise: string;
}

/** The commit that a word names; throws a `UserError` where there is none. */
export async function commitOf(git: Git, ref: string, { option, otherwise }: Asked): Promise<string> {
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  if (commit.ok) return commit.stdout.trim();
  const isKnown = (await git('rev-parse', '--verify', '--quiet', '--end-of-options', ref)).ok;
  const reason = isKnown
    ? 'it is no commit, or its commit is missing in this clone'
    : ref === 'HEAD'
      ? 'there is no commit yet'
      : `there is no such commit${(await isShallow(git)) ? ' in this shallow clone (`git fetch --unshallow` fetches all)' : ''}`;
  throw new UserError(`\`${option}\`: ${reason}. ${capitalised(otherwise)}.`);
}

/** Whether older commits were left out when it was cloned. */
export const isShallow = async (git: Git): Promise<boolean> =>
  (await git('rev-parse', '--is-shallow-repository')).stdout.trim() === 'true';

const capitalised = (text: string): string => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

/**
 * Finds a program along PATH. The system's own search may begin in the current folder, and entries of PATH may lead into
 * the workspace, as those of `npx` do: a file there must not be run because of its name.
 */
interface Search {
  /** The value of the environment's PATH. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  /** The folder whose files are not to be run. */
  readonly workspace: string;
}

/** The absolute paths at which a program may be, in the order of PATH. */
export function programPaths(name: string, { path, platform, workspace }: Search): readonly string[] {
  const isWindows = platform === 'win32';
  const { delimiter, join } = isWindows ? win32 : posix;
  // Scripts such as `git.cmd` need a shell, which is never started.
  const names = isWindows ? [`${name}.exe`, `${name}.com`] : [name];
  const entries = path.split(delimiter).map((entry) => (isWindows ? entry.replace(/^"(.*)"$/, '$1') : entry));
  return entries
    .filter((entry) => isFixed(entry, isWindows) && !isInside(entry, workspace, isWindows))
    .flatMap((entry) => names.map((file) => join(entry, file)));
}

/** On Windows `\bin` and `C:bin` depend on the current drive and folder. */
const isFixed = (entry: string, isWindows: boolean): boolean =>
  isWindows ? /^([a-z]:|[\\/]{2}[^\\/]+)[\\/]/i.test(entry) : entry.startsWith('/');

/** A root of the file system holds every program, and so is no workspace. */
function isInside(path: string, workspace: string, isWindows: boolean): boolean {
  const { normalize, parse, relative, isAbsolute, sep } = isWindows ? win32 : posix;
  if (parse(normalize(workspace)).root === normalize(workspace)) return false;
  const way = relative(workspace, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

/** The first of these paths that is a program; undefined where there is none. A link into the workspace is none. */
async function findProgram(name: string, search: Search): Promise<string | undefined> {
  for (const path of programPaths(name, search)) {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || isInside(real, search.workspace, search.platform === 'win32')) continue;
    const found = await stat(real).catch(() => undefined);
    const isProgram = found?.isFile() && (search.platform === 'win32' || (found.mode & 0o111) !== 0);
    if (isProgram) return path;
  }
  return undefined;
}

// Reads a skill's baseline from a commit.

const OTHERWISE = 'name the baseline with `--base-file FILE`';

/** The text that a file has in a commit; undefined where the commit does not have the file. */
export async function readFromGit(path: string, ref: string): Promise<string | undefined> {
  // Of a link, the file that it leads to is the one with a history.
  const real = await realpath(path);
  const name = basename(real);
  const git = await gitFor(real);
  if (!git) throw new UserError(`\`${name}\` is in no git repository: ${OTHERWISE}.`);
  await assertWorkTree(git, `\`${name}\``, OTHERWISE);
  const commit = await commitOf(git, ref, {
    option: `--base ${ref}`,
    otherwise: 'name a commit, or a file with `--base-file FILE`',
  });
  const entry = await git('ls-tree', '-z', commit, '--', name);
  if (!entry.ok) throw new UserError(`\`${ref}\` cannot be read: ${entry.reason}. Fetch it whole, or ${OTHERWISE}.`);
  if (entry.stdout === '') return undefined;
  const [mode = '', , object = ''] = entry.stdout.split(/[ \t]/);
  if (!mode.startsWith('100')) throw new UserError(`\`${name}\` is no file in \`${ref}\`: ${OTHERWISE}.`);
  const blob = await git('cat-file', 'blob', object);
  if (blob.ok) return textIn(textOf(blob.bytes), `${ref}:${name}`);
  if (blob.reason === TOO_LARGE) throw new UserError(`\`${name}\` cannot be read from \`${ref}\`: ${TOO_LARGE}.`);
  throw new UserError(
    `\`${name}\` is in \`${ref}\`, but its content is not in this clone (${blob.reason}). A clone with \`--filter\` lacks it: run \`git show ${ref}:./${name}\` once, which fetches it, or ${OTHERWISE}.`,
  );
}
