/**
 * Reads and writes archives in memory. An archive with an unsafe entry is refused as a whole
 * (docs/installing.md, "What is refused").
 */
import { collisionIn } from '../../packing/archive-path.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits } from '../../packing/limits.ts';
import { UserError } from '../user-error.ts';
import type { ArchiveEntry } from './entry-guard.ts';
import { readTar, writeTar } from './tar.ts';
import { readZip, writeZip } from './zip.ts';

/**
 * Returns the files of an archive, sorted by path. Throws a `UserError` whose message is a clause about the archive.
 */
export async function readArchive(
  bytes: Uint8Array,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<readonly ArchiveEntry[]> {
  if (bytes.length > limits.packed) throw new UserError(`it is larger than ${limits.packed / 2 ** 20} MiB`);
  const kind = kindOf(bytes);
  if (!kind) throw new UserError('it is neither a gzipped tar nor a zip');
  const entries = await (kind === 'zip' ? readZip(bytes, limits) : readTar(bytes, limits));
  const collision = collisionIn(entries.map(({ path }) => path));
  if (collision) throw new UserError(`\`${collision.path}\` ${collision.problem}`);
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the kind of an archive according to its first bytes. The file name is ignored. */
function kindOf(bytes: Uint8Array): 'zip' | 'tgz' | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0x1f && b === 0x8b) return 'tgz';
  return a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6)) ? 'zip' : undefined;
}

/** Returns the bytes of an archive. Equal entries give equal bytes on every machine. */
export const writeArchive = (kind: 'zip' | 'tgz', entries: readonly ArchiveEntry[]): Promise<Uint8Array> =>
  kind === 'zip' ? writeZip(entries) : writeTar(entries);
