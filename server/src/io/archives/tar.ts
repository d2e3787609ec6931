/** Reads and writes gzipped tar archives. Only this file imports the tar library, which writes. */
import { packTar } from 'modern-tar';
import type { ArchiveLimits } from '../../packing/limits.ts';
import { type ArchiveEntry, EntryGuard, entryPath, tooLarge } from './entry-guard.ts';
import { gunzip, gzip } from './gzip.ts';
import { TarReader } from './read-tar.ts';

/** The maximum size of an entry's headers and padding, in bytes. */
const ENTRY_OVERHEAD = 2048;

/** Returns the files of a gzipped tar. Throws a `UserError` whose message is a clause about the archive. */
export async function readTar(bytes: Uint8Array, limits: ArchiveLimits): Promise<readonly ArchiveEntry[]> {
  const { entries, total } = limits;
  const tar = new TarReader(await gunzip(bytes, total + entries * ENTRY_OVERHEAD, tooLarge(total)));
  const guard = new EntryGuard(limits);
  const found: ArchiveEntry[] = [];
  for (let entry = tar.next(); entry; entry = tar.next()) {
    const { path, kind, size, isExecutable } = entry;
    const isFile = guard.admits({ path: kind === 'folder' ? path : path.replace(/\/$/, '/.'), kind, size });
    // A copy, so that the memory of the tar is released.
    if (isFile) found.push({ path: entryPath(path), bytes: tar.take(size).slice(), isExecutable });
  }
  return found;
}

/** Returns a gzipped tar. */
export async function writeTar(entries: readonly ArchiveEntry[]): Promise<Uint8Array> {
  const tar = await packTar(
    entries.map(({ path, bytes, isExecutable }) => ({
      header: { name: path, size: bytes.length, type: 'file', mode: isExecutable ? 0o755 : 0o644, mtime: new Date(0) },
      body: bytes,
    })),
  );
  return gzip(tar);
}
