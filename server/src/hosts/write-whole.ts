/** Writing a file in such a way that it is the old one or the new one, whatever happens meanwhile. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';

export interface WritingOptions {
  /** The permissions of a file that is new; one that is there keeps its own. */
  readonly mode?: number;
  /** Whether to wait until the disk has it, for what cannot be made again. */
  readonly sync?: boolean;
}

/**
 * Writes beside the file and renames. Rejects with the system's error; the file is as it was then, and nothing stands
 * beside it. The libraries for this call the system once, which on a full disk writes a part and is content, and then they
 * rename the part: a handle's `writeFile` goes on until all is written, or there is an error.
 */
export async function writeWhole(
  path: string,
  text: string,
  { mode = 0o666, sync = true }: WritingOptions = {},
): Promise<void> {
  const before = await stat(path).catch(() => undefined);
  const beside = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(beside, 'wx', mode);
  try {
    try {
      await file.writeFile(text);
      if (before) {
        // Only the system's administrator may give a file away.
        await file.chown(before.uid, before.gid).catch(() => {});
        await file.chmod(before.mode);
      }
      if (sync) await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw error;
  }
}
