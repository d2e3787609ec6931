/**
 * Writes all changes of a call or none. Every file must be below its folder, and links must not lead out of this
 * folder.
 */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { LinkScope } from '../../io/files.ts';
import { type HeldFolder, inFolder } from '../../io/held-folder.ts';
import { isWithin, toPath } from '../../io/paths.ts';
import { readFound } from '../../io/read-file.ts';
import { realPathOf } from '../../io/real-path.ts';
import { reasonOf } from '../../io/user-error.ts';
import { createFile, removeFile, replaceFile } from '../../io/write-file.ts';
import { inWords } from '../../nearest.ts';
import { contentDigest } from '../../skill/content-digest.ts';
import { Refused, refuse } from './call.ts';
import type { ServedFolders } from './served-folders.ts';

export interface FileChange {
  readonly path: string;
  /** The folder that must contain the file. */
  readonly folder: string;
  /** The file's name in results. */
  readonly file: string;
  /** The current text; undefined if the file does not exist yet. */
  readonly old: string | undefined;
  /** The new text; undefined deletes the file. */
  readonly text: string | undefined;
}

/** Returns a change to a served file. Refuses for any other file. */
export function changeIn(
  folders: ServedFolders,
  uri: string,
  old: string | undefined,
  text: string | undefined,
): FileChange {
  const file = folders.fileOf(uri);
  const folder = folders.folderOf(uri) ?? refuse('outside-root', outside(file));
  return { path: toPath(uri), folder, file, old, text };
}

const outside = (file: string): string => `\`${file}\` is outside the served folder. Only files in it are written.`;

/** A change with its real location: the folder that must contain the file, and the path of the file in it. */
interface PlacedChange extends FileChange {
  readonly root: string;
  readonly relativePath: string;
}

/** Writes changes. Rejects with a `Refused` after undoing all changes, except those that the message names. */
export async function writeChanges(changes: readonly FileChange[]): Promise<void> {
  const placed = await Promise.all(
    changes.map((change) => placeOf(change).catch((error: unknown) => failed(change, error))),
  );
  const done: PlacedChange[] = [];
  try {
    for (const change of placed) {
      await write(change);
      done.push(change);
    }
  } catch (error) {
    await putBack(done.reverse(), error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Undoes changes independently of each other. Refuses if a change cannot be undone. `why` is the first error. */
async function putBack(done: readonly PlacedChange[], why: string): Promise<void> {
  const kept: string[] = [];
  for (const { old, text, ...change } of done) {
    await write({ ...change, old: text, text: old }).catch(() => kept.push(change.file));
  }
  if (kept.length === 0) return;
  refuse('write-failed', `${why} The changes in ${inWords(kept, 'and')} could not be undone. Check these files.`);
}

/** Returns where a file is after all links in its folder's path are resolved. Refuses a file that is a link. */
async function placeOf(change: FileChange): Promise<PlacedChange> {
  const { path, folder, file } = change;
  const [root, above] = await Promise.all([realpath(folder), realPathOf(dirname(path))]);
  if (above === undefined) refuse('link', 'A parent folder of the file is a link to a folder that does not exist.');
  if (!isWithin(folder, path) || !isWithin(root, above)) {
    refuse('outside-root', outside(file));
  }
  const stats = await lstat(join(above, basename(path))).catch(() => undefined);
  if (stats?.isSymbolicLink()) refuse('link', `\`${file}\` is a symbolic link. Use the path of its target.`);
  return { ...change, root, relativePath: relative(root, join(above, basename(path))) };
}

/** Writes a change in a folder that is kept open. If another program replaced this folder meanwhile, undoes the change. */
async function write(change: PlacedChange): Promise<void> {
  const { root, relativePath, old, text } = change;
  const folderPath = dirname(relativePath) === '.' ? '' : dirname(relativePath).replaceAll(sep, '/');
  const writeIn = async (folder: HeldFolder): Promise<void> => {
    const path = folder.at(basename(relativePath));
    await folder.verify();
    await writeAt(path, change);
    await folder.verify().catch(async (error: unknown) => {
      await writeAt(path, { ...change, old: text, text: old });
      throw error;
    });
  };
  try {
    await inFolder(root, folderPath, writeIn, old === undefined);
  } catch (error) {
    failed(change, error);
  }
}

function failed({ file }: FileChange, error: unknown): never {
  if (error instanceof Refused) throw error;
  return refuse('write-failed', `\`${file}\` cannot be written: ${reasonOf(error)}.`);
}

async function writeAt(path: string, { file, old, text }: FileChange): Promise<void> {
  if (old === undefined) {
    return createFile(path, text ?? '').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || error.syscall === 'mkdir') throw error;
      refuse('exists', `\`${file}\` already exists. Choose another name.`);
    });
  }
  const done = text === undefined ? removeFile(path, old) : replaceFile(path, { old, text });
  if ((await done.catch(orGone)) === 'changed') await changed(path, file);
}

function orGone(error: NodeJS.ErrnoException): 'changed' {
  if (error.code === 'ENOENT') return 'changed';
  throw error;
}

/** Follows no links, because a file may have been replaced by a link. */
const NO_LINKS: LinkScope = { folders: [], isReadDirectly: () => false };

/** Refuses because another program changed the file. The result contains the file's current text. */
async function changed(path: string, file: string): Promise<never> {
  const now = await readFound(path, NO_LINKS);
  const details = now.kind === 'text' ? { file, text: now.text, digest: contentDigest(now.text) } : {};
  return refuse('changed', `\`${file}\` has changed since it was read. Apply the change to the current text.`, details);
}
