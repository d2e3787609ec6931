/**
 * Holds folders open while files are written in them, so that another program cannot send the files elsewhere by
 * exchanging a folder for a link (docs/security.md). All code that writes below a root opens folders here.
 */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;

export interface HeldFolder {
  /** The path from the root, with `/`. Empty for the root itself. */
  readonly relativePath: string;
  readonly stats: BigIntStats;
  /** Returns the path of an entry. On Linux, this path leads to the held folder, even if the folder was renamed. */
  at(name: string): string;
  /** Rejects if the folder is no longer at its path. On systems other than Linux, call it before and after a write. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a folder below a root, one name after another without following links. The path of the root itself may contain
 * links. `make` creates missing folders. Rejects with an error whose message is a clause, or with the system's error.
 */
export async function openFolder(root: string | HeldFolder, relativePath = '', make = false): Promise<HeldFolder> {
  let held = typeof root === 'string' ? await opened(root, '', stat) : root;
  for (const name of relativePath === '' ? [] : relativePath.split('/')) {
    const above = held;
    try {
      const shown = above.relativePath === '' ? name : `${above.relativePath}/${name}`;
      if (['', '.', '..'].includes(name)) throw new Error(`\`${shown}\` is not a path below the folder`);
      if (make) await mkdir(above.at(name)).catch(unlessThere);
      held = await opened(above.at(name), shown, lstat);
    } finally {
      if (above !== root) await above.close();
    }
  }
  const { dev, ino } = held.stats;
  const verify = async (): Promise<void> => {
    const now = await openFolder(root, relativePath);
    if (now !== root) await now.close();
    if (now.stats.dev !== dev || now.stats.ino !== ino)
      throw new Error(`another program replaced the folder \`${held.relativePath || '.'}\``);
    if (typeof root !== 'string') await root.verify();
  };
  return held === root ? held : { ...held, verify };
}

/** Opens a folder as `openFolder` does, and closes it after `use`. */
export async function inFolder<Result>(
  root: string | HeldFolder,
  relativePath: string,
  use: (folder: HeldFolder) => Promise<Result>,
  make = false,
): Promise<Result> {
  const folder = await openFolder(root, relativePath, make);
  try {
    return await use(folder);
  } finally {
    if (folder !== root) await folder.close();
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** Opens a folder. Only Linux has paths for open folders; elsewhere, only the facts about the folder are kept. */
async function opened(path: string, relativePath: string, look: typeof lstat): Promise<HeldFolder> {
  const handle = process.platform === 'linux' ? await handleOf(path, relativePath, look === lstat) : undefined;
  try {
    const base = handle && `/proc/self/fd/${handle.fd}`;
    // Some sandboxes have no `/proc`.
    const isReachable = base !== undefined && (await stat(base).catch(() => undefined)) !== undefined;
    const stats = await (handle ? handle.stat({ bigint: true }) : look(path, { bigint: true }));
    if (!stats.isDirectory()) throw notFolder(relativePath);
    return {
      relativePath,
      stats,
      at: (name) => join(isReachable ? base : path, name),
      verify: async () => {},
      close: async () => handle?.close(),
    };
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

const handleOf = (path: string, relativePath: string, isBelow: boolean): Promise<FileHandle> =>
  open(path, O_RDONLY | O_DIRECTORY | (isBelow ? O_NOFOLLOW : 0)).catch((error: NodeJS.ErrnoException) => {
    throw isBelow && (error.code === 'ENOTDIR' || error.code === 'ELOOP') ? notFolder(relativePath) : error;
  });

const notFolder = (relativePath: string): Error => new Error(`\`${relativePath}\` is a link or a file, not a folder`);

/** Removes a folder below a root, and the folders above it, as far as they are empty. */
export async function removeEmptyFolders(root: HeldFolder, relativePath: string): Promise<void> {
  for (let rest = relativePath; rest !== ''; ) {
    const above = rest.slice(0, Math.max(0, rest.lastIndexOf('/')));
    if (!(await removeEmptyFolder(root, rest))) return;
    rest = above;
  }
}

/** Removes a folder below a root if it is empty. Returns false if it stays. */
export function removeEmptyFolder(root: HeldFolder, relativePath: string): Promise<boolean> {
  const at = relativePath.lastIndexOf('/');
  const [above, name] = [relativePath.slice(0, Math.max(0, at)), relativePath.slice(at + 1)];
  return inFolder(root, above, (folder) => rmdir(folder.at(name))).then(
    () => true,
    () => false,
  );
}
