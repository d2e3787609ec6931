/** Writes a file so that it is the old one or the new one, whatever happens meanwhile. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';

/**
 * Writes a file beside this one and renames it; permissions and owner stay. Rejects with the system's error: the file is then
 * as it was, and nothing is left beside it. A handle's `writeFile` writes all or fails, also where the disk is full.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const before = await stat(path).catch(() => undefined);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(text);
      if (before) {
        // Only an administrator may change a file's owner.
        await file.chown(before.uid, before.gid).catch(() => {});
        await file.chmod(before.mode);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
