/**
 * Finds a program along PATH. The system's own search may begin in the current folder, and entries of PATH may lead into
 * the workspace, as those of `npx` do: a file there must not be run because of its name.
 */
import { realpath, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';

export interface Search {
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
export async function findProgram(name: string, search: Search): Promise<string | undefined> {
  for (const path of programPaths(name, search)) {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || isInside(real, search.workspace, search.platform === 'win32')) continue;
    const found = await stat(real).catch(() => undefined);
    const isProgram = found?.isFile() && (search.platform === 'win32' || (found.mode & 0o111) !== 0);
    if (isProgram) return path;
  }
  return undefined;
}
