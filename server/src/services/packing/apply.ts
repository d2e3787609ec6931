/**
 * Applies a prepared installation completely or not at all, and only if no file has changed since its preparation
 * (docs/installing.md, "Installing").
 */
import { toUserError, UserError } from '../../io/user-error.ts';
import { LOCK_NAME, printLock } from '../../packing/lock.ts';
import { openLock, presentAt } from './installed.ts';
import type { Prepared } from './prepare.ts';

/** Installs, and returns the paths that were written or removed. Throws a `UserError` if nothing was installed. */
export async function applyInstall(prepared: Prepared, force: boolean): Promise<readonly string[]> {
  const { folder, write, remove, same, view, present, lockFile } = prepared;
  if (view.conflicts.length > 0 && !force) throw conflictsIn(prepared);
  const unreadable = [...present].find(([, state]) => state === 'other');
  if (unreadable)
    throw new UserError(`Not installed: \`${unreadable[0]}\` is a link, a folder or unreadable. Remove it first.`);
  const nextText = printLock(prepared.nextLock);
  if (write.length + remove.length === 0 && nextText === lockFile.text) return [];
  const isUnchanged = async (): Promise<boolean> => {
    const now = await presentAt(folder, [...present.keys()]);
    const { text } = await openLock(folder);
    return text === lockFile.text && JSON.stringify([...now]) === JSON.stringify([...present]);
  };
  const files = [...write, { path: LOCK_NAME, bytes: new TextEncoder().encode(nextText), isExecutable: false }];
  const done = await folder.write({ write: files, same, remove }, isUnchanged).catch((error: unknown) => {
    throw toUserError(error, (reason) => `Not installed: ${reason}.`);
  });
  if (done === 'changed')
    throw new UserError('Not installed: files changed since the preview. Check the preview again.');
  return [...write.map(({ path }) => path), ...remove];
}

const MAX_NAMED = 10;

/** Returns an error that lists the local edits that an installation would overwrite. */
export function conflictsIn({ view: { conflicts } }: Prepared): UserError {
  const named = conflicts.slice(0, MAX_NAMED).map(({ path, why }) => `\`${path}\` ${why}`);
  const more = conflicts.length - named.length;
  const lost = `Not installed, because files would be overwritten: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}. Move them, or`;
  return new UserError(`${lost} allow overwriting.`, `${lost} use \`--force\`.`);
}
