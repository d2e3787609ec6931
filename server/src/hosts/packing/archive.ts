/**
 * Archives as files with their bytes, from memory to memory. Whatever an archive holds that could harm refuses all of it
 * (docs/installing.md, "What is refused").
 */
import { collisionIn } from '../../packing/archive-path.ts';
import { ARCHIVE_LIMITS, type ArchiveLimits } from '../../packing/limits.ts';
import { UserError } from '../user-error.ts';
import type { ArchiveEntry } from './entry-guard.ts';
import { readTar, writeTar } from './tar.ts';
import { readZip, writeZip } from './zip.ts';

/** The files of an archive, in the order of their paths. Throws a `UserError`, a part of a sentence about the archive. */
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

/** By the first bytes; a name says nothing. */
function kindOf(bytes: Uint8Array): 'zip' | 'tgz' | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0x1f && b === 0x8b) return 'tgz';
  return a === 0x50 && b === 0x4b && ((c === 3 && d === 4) || (c === 5 && d === 6)) ? 'zip' : undefined;
}

/** The same bytes for the same entries, whenever and wherever they are written. */
export const writeArchive = (kind: 'zip' | 'tgz', entries: readonly ArchiveEntry[]): Promise<Uint8Array> =>
  kind === 'zip' ? writeZip(entries) : writeTar(entries);
