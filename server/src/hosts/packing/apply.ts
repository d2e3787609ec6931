/** Does what was prepared: all of it or nothing, and only where nothing has changed since. */
import { LOCK_NAME, printLock } from '../../packing/lock.ts';
import { openLock, presentAt } from './installed.ts';
import type { Prepared } from './prepare.ts';
import { Refusal } from './refusal.ts';

/** The paths that were written or removed. Throws a `Refusal`. */
export async function applyInstall(prepared: Prepared, force: boolean): Promise<readonly string[]> {
  const { place, write, remove, view, present, lockFile } = prepared;
  if (view.conflicts.length > 0 && !force) throw conflictsIn(prepared);
  const unreadable = [...present].find(([, state]) => state === 'other');
  if (unreadable)
    throw new Refusal(`\`${unreadable[0]}\` is a link, a folder or no readable file: move it away first.`);
  const lock = new TextEncoder().encode(printLock(prepared.nextLock));
  const isUnchanged = async (): Promise<boolean> => {
    const now = await presentAt(place, [...present.keys()]);
    const { text } = await openLock(place);
    return text === lockFile.text && JSON.stringify([...now]) === JSON.stringify([...present]);
  };
  const files = [...write, { path: LOCK_NAME, bytes: lock, isExecutable: false }];
  const done = await place.write({ write: files, remove }, isUnchanged).catch((error: unknown) => {
    throw new Refusal(`Nothing is installed: ${(error as Error).message}.`);
  });
  if (done === 'changed')
    throw new Refusal('Nothing is installed: files have changed since the preview. Look at it once more.');
  return [...write.map(({ path }) => path), ...remove];
}

const MAX_NAMED = 10;

/** Names the local edits that stand against it. */
export function conflictsIn({ view: { conflicts } }: Prepared): Refusal {
  const named = conflicts.slice(0, MAX_NAMED).map(({ path, why }) => `\`${path}\` ${why}`);
  const more = conflicts.length - named.length;
  const lost = `Nothing is installed, since what lies there would be lost: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}. Keep it elsewhere, or`;
  return new Refusal(`${lost} allow that it is written over.`, `${lost} write over it with \`--force\`.`);
}
