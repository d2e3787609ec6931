/** Writes what a call changes: all of it or nothing, below a folder, and through no link that leads out of it. */
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { inWords } from '../../nearest.ts';
import { contentDigest } from '../../skill/content-digest.ts';
import type { LinkScope } from '../files/files.ts';
import { isWithin, toPath } from '../node/paths.ts';
import { readFound } from '../node/read-file.ts';
import { createFile, removeFile, replaceFile } from '../node/write-file.ts';
import { reasonOf } from '../user-error.ts';
import { Refused, refuse } from './call.ts';
import type { ServedFolders } from './served-folders.ts';

export interface FileChange {
  readonly path: string;
  /** The folder that the file has to be in. */
  readonly folder: string;
  /** As answers name it. */
  readonly file: string;
  /** The text that the file has; undefined where there is none yet. */
  readonly old: string | undefined;
  /** The text that it gets; undefined takes the file away. */
  readonly text: string | undefined;
}

/** A change of a file that is served; refused for any other. */
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

const outside = (file: string): string =>
  `\`${file}\` leads out of the folder that is served, and nothing outside of it is written.`;

/** Rejects with a `Refused`; then every file is as it was, but for those that it names. */
export async function writeChanges(changes: readonly FileChange[]): Promise<void> {
  const placed = await Promise.all(
    changes.map(async (change) => ({
      ...change,
      path: await placeOf(change).catch((error: unknown) => failed(change, error)),
    })),
  );
  const done: FileChange[] = [];
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

/** Undoes changes, each whatever becomes of the others; refused where one stays, with why they were to be undone. */
async function putBack(done: readonly FileChange[], why: string): Promise<void> {
  const kept: string[] = [];
  for (const { old, text, ...change } of done) {
    await write({ ...change, old: text, text: old }).catch(() => kept.push(change.file));
  }
  if (kept.length === 0) return;
  const those = kept.length === 1 ? 'it' : 'them';
  refuse('write-failed', `${why} ${inWords(kept, 'and')} could not be put back as before: look at ${those}.`);
}

/** Where a file is written, with no link on the way to it. */
async function placeOf({ path, folder, file }: FileChange): Promise<string> {
  const [root, above] = await Promise.all([realpath(folder), realOf(dirname(path))]);
  if (!isWithin(folder, path) || !isWithin(root, above)) {
    refuse('outside-root', outside(file));
  }
  const place = join(above, basename(path));
  const stats = await lstat(place).catch(() => undefined);
  if (stats?.isSymbolicLink()) refuse('link', `\`${file}\` is a symbolic link: name the skill's own file.`);
  return place;
}

/** The real path of a folder that need not be there yet. */
async function realOf(folder: string): Promise<string> {
  const real = await realpath(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (real !== undefined) return real;
  // A link to nothing is there, and what is made through it would be anywhere.
  const isLink = await lstat(folder).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  if (isLink) refuse('link', 'A folder on the way to the file is a link that leads nowhere.');
  return join(await realOf(dirname(folder)), basename(folder));
}

async function write(change: FileChange): Promise<void> {
  try {
    if (change.old === undefined) await create(change);
    else if (change.text === undefined) await remove(change, change.old);
    else await replace(change, change.old, change.text);
  } catch (error) {
    failed(change, error);
  }
}

function failed({ file }: FileChange, error: unknown): never {
  if (error instanceof Refused) throw error;
  return refuse('write-failed', `\`${file}\` cannot be written: ${reasonOf(error)}.`);
}

async function create({ path, file, text = '' }: FileChange): Promise<void> {
  await createFile(path, text).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || error.syscall === 'mkdir') throw error;
    refuse('exists', `\`${file}\` is there already and stays as it is: give another name.`);
  });
}

async function replace(change: FileChange, old: string, text: string): Promise<void> {
  if ((await replaceFile(change.path, { old, text }).catch(orGone)) === 'changed') await changed(change);
}

async function remove(change: FileChange, old: string): Promise<void> {
  if ((await removeFile(change.path, old).catch(orGone)) === 'changed') await changed(change);
}

function orGone(error: NodeJS.ErrnoException): 'changed' {
  if (error.code === 'ENOENT') return 'changed';
  throw error;
}

/** What was a file may be a link by now. */
const NO_LINKS: LinkScope = { folders: [], readsItself: () => false };

/** Somebody else was faster: the answer has the text that the file has now. */
async function changed({ path, file }: FileChange): Promise<never> {
  const now = await readFound(path, NO_LINKS);
  const details = now.kind === 'text' ? { file, text: now.text, digest: contentDigest(now.text) } : {};
  return refuse(
    'changed',
    `\`${file}\` has changed since it was read: make the change to the text that it has now.`,
    details,
  );
}
