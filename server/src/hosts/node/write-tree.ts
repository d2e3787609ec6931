/** Writes many files below a folder, all or none: first into a temporary folder, then by renaming each file. */
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TreeChange } from '../files/files.ts';

/**
 * Writes and removes files. Rejects with the system's error after it has undone all changes. Calls `isUnchanged` before
 * the first change, and returns `changed` if that returns false. Never writes through a link.
 */
export async function writeTree(
  root: string,
  { write, remove }: TreeChange,
  isUnchanged: () => Promise<boolean>,
): Promise<'written' | 'changed'> {
  await mkdir(root, { recursive: true });
  const stage = join(root, `.skill-composer-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  const undo: (() => Promise<unknown>)[] = [];
  await mkdir(stage);
  try {
    for (const { path, bytes, isExecutable } of write) {
      const staged = join(stage, 'new', path);
      await mkdir(dirname(staged), { recursive: true });
      await writeFile(staged, bytes, { flag: 'wx', mode: isExecutable ? 0o777 : 0o666 });
    }
    if (!(await isUnchanged())) return 'changed';
    const paths = write.map(({ path }) => path);
    for (const path of [...paths, ...remove]) await assertNoLinkAbove(root, path);
    await putAside(root, stage, [...paths, ...remove], undo);
    for (const path of await widest(root, paths)) {
      await rename(join(stage, 'new', path), join(root, path));
      undo.unshift(() => rename(join(root, path), join(stage, 'new', path)));
    }
  } catch (error) {
    for (const step of undo) await step().catch(() => {});
    throw error;
  } finally {
    await rm(stage, { recursive: true, force: true }).catch(() => {});
  }
  await Promise.all(remove.map((path) => removeEmptyAbove(root, path)));
  return 'written';
}

/** Moves existing files to the temporary folder. */
async function putAside(root: string, stage: string, paths: readonly string[], undo: (() => Promise<unknown>)[]) {
  for (const path of paths) {
    if (!(await isThere(join(root, path)))) continue;
    const aside = join(stage, 'old', path);
    await mkdir(dirname(aside), { recursive: true });
    await rename(join(root, path), aside);
    undo.unshift(() => rename(aside, join(root, path)));
  }
}

/** Returns the paths to move. A folder that does not exist in the root yet is moved as a whole. */
async function widest(root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const moved = new Set<string>();
  for (const path of paths) {
    for (const folder of foldersOf(path)) {
      if (moved.has(folder) || !(await isThere(join(root, folder)))) {
        moved.add(folder);
        break;
      }
    }
    if (!foldersOf(path).some((folder) => moved.has(folder))) moved.add(path);
  }
  return moved;
}

async function assertNoLinkAbove(root: string, path: string): Promise<void> {
  for (const folder of foldersOf(path)) {
    const stats = await lstat(join(root, folder)).catch(() => undefined);
    if (!stats) return;
    if (!stats.isDirectory()) throw new Error(`\`${folder}\` is a link or a file, not a folder`);
  }
}

/** Returns the folders above a path, the outermost first. */
const foldersOf = (path: string): readonly string[] => {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
};

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Removes the folders above a path that are now empty. */
async function removeEmptyAbove(root: string, path: string): Promise<void> {
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const names = await readdir(join(root, folder)).catch(() => ['unreadable']);
    if (names.length > 0) return;
    await rm(join(root, folder), { recursive: true }).catch(() => {});
  }
}

/** Writes a file atomically. Overwrites an existing file. */
export async function replaceBytes(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.skill-composer-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
