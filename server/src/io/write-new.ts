/** Writes new files below a folder that the user names. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileToWrite } from './files.ts';
import { toUserError, UserError } from './user-error.ts';
import { inTurn, writeTree } from './write-tree.ts';

export interface NewFiles {
  readonly out: string;
  /** The folder as the user wrote it. */
  readonly given: string;
  readonly force: boolean;
  /** The start of a message, for example `Not converted`. */
  readonly refusal: string;
}

/**
 * Writes all files below a folder or nothing, never through a symbolic link, and returns their paths for people.
 * Overwrites existing files only with `force`; otherwise throws a `UserError` before it reads the content.
 */
export async function writeNew(
  paths: readonly string[],
  read: () => Promise<readonly FileToWrite[]>,
  { out, given, force, refusal }: NewFiles,
  note: (line: string) => void,
): Promise<readonly string[]> {
  const shown = shownBelow(given);
  const stillFree = () => assertFree(paths, out, force, refusal, shown).then(() => true);
  await stillFree();
  const write = await read();
  const writing = inTurn(out, note, (turn) => writeTree(turn, { write, remove: [] }, stillFree));
  await writing.catch((error: unknown) => {
    throw toUserError(error, (reason) => `\`${given}\` cannot be written: ${reason}.`);
  });
  return paths.map(shown);
}

/** Returns a function that shows a path below a folder, which it shows as the user wrote it. */
export const shownBelow =
  (given: string) =>
  (path: string): string =>
    `${given.replaceAll('\\', '/').replace(/\/$/, '')}/${path}`;

async function assertFree(
  paths: readonly string[],
  out: string,
  force: boolean,
  refusal: string,
  shown: (path: string) => string,
) {
  const taken: string[] = [];
  for (const path of paths) {
    const stats = await lstat(join(out, path)).catch(() => undefined);
    if (stats && force && !stats.isFile()) {
      throw new UserError(`${refusal}: \`${shown(path)}\` is a link or a folder. Remove it first.`);
    }
    if (stats && !force) taken.push(`\`${shown(path)}\``);
  }
  if (taken.length === 0) return;
  throw new UserError(
    `${refusal}: ${taken.join(', ')} already ${taken.length === 1 ? 'exists' : 'exist'}. Use another \`--out\` folder, or \`--force\` to overwrite.`,
  );
}
