/** Zip archives, including `.skill` files. */
import {
  configure,
  type Entry,
  type FileEntry,
  Uint8ArrayReader,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-custom.js';
import { type Zippable, zipSync } from 'fflate';
import type { ArchiveLimits } from '../../packing/limits.ts';
import { isUserError, UserError } from '../user-error.ts';
import { type ArchiveEntry, EntryGuard, type EntryHeader, entryPath } from './entry-guard.ts';

const BROKEN = 'it is truncated, or its contents do not match its directory';

/** The supported compression methods: stored and Deflate. */
const METHODS: ReadonlySet<number> = new Set([0, 8]);

/** Returns the files of a zip. Throws a `UserError` whose message is a clause about the archive. */
export async function readZip(bytes: Uint8Array, limits: ArchiveLimits): Promise<readonly ArchiveEntry[]> {
  // The library would load its own workers from a URL.
  configure({ useWebWorkers: false });
  const guard = new EntryGuard(limits);
  const files: FileEntry[] = [];
  const names = new Set<string>();
  const found: ArchiveEntry[] = [];
  // Refuses archives that programs read differently. The guard checks the names, as it does for a tar.
  const options = { strictness: 'strict', filenameValidation: 'tolerant' } as const;
  const zip = new ZipReader(new Uint8ArrayReader(bytes), options);
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      const isFile = guard.admits({ path: entry.filename, kind: kindOf(entry), size: entry.uncompressedSize });
      if (!isFile || entry.directory) continue;
      if (!METHODS.has(entry.compressionMethod)) {
        throw new UserError(`\`${entry.filename}\` uses an unsupported compression method. Use Deflate`);
      }
      if (names.has(entry.filename)) throw new UserError(`\`${entry.filename}\` occurs twice`);
      names.add(entry.filename);
      files.push(entry);
    }
    for (const file of files) {
      found.push({ path: entryPath(file.filename), bytes: await unpack(file), isExecutable: isExecutable(file) });
    }
    return found;
  } catch (error) {
    throw isUserError(error) ? error : new UserError(BROKEN);
  }
}

/** Unpacks an entry. Throws a `UserError` if its size differs from its header. */
async function unpack(entry: FileEntry): Promise<Uint8Array> {
  const bytes = new Uint8Array(entry.uncompressedSize);
  let length = 0;
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      if (length + chunk.length > bytes.length) throw new UserError(BROKEN);
      bytes.set(chunk, length);
      length += chunk.length;
    },
  });
  await entry.getData(sink, { checkCrc32: true, checkOverlappingEntry: true });
  if (length !== bytes.length) throw new UserError(BROKEN);
  return bytes;
}

/**
 * Returns the mode, which is the upper half of the attributes if the entry was created on Unix or macOS; otherwise 0.
 */
const modeOf = ({ versionMadeBy, externalFileAttributes }: Entry): number =>
  versionMadeBy >> 8 === UNIX || versionMadeBy >> 8 === MAC ? externalFileAttributes >>> 16 : 0;

const UNIX = 3;
const MAC = 19;

function kindOf(entry: Entry): EntryHeader['kind'] {
  if (entry.encrypted) return 'encrypted';
  // Some programs read a link from an entry of any system.
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000) return 'link';
  // Some programs omit the file type.
  const kind = modeOf(entry) & 0o170000;
  if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) return 'device';
  return entry.filename.endsWith('/') ? 'folder' : kind === 0o040000 || entry.directory ? 'unknown' : 'file';
}

const isExecutable = (entry: Entry): boolean => (modeOf(entry) & 0o100) !== 0;

/**
 * The first date that a zip can contain. The library stores local time, so a local date gives the same bytes on every
 * machine.
 */
const FIRST_DAY = [1980, 0, 1] as const;

export async function writeZip(entries: readonly ArchiveEntry[]): Promise<Uint8Array> {
  const files: Zippable = {};
  for (const { path, bytes, isExecutable: isRun } of entries) {
    const attrs = ((0o100000 | (isRun ? 0o755 : 0o644)) << 16) >>> 0;
    files[path] = [bytes, { mtime: new Date(...FIRST_DAY), os: UNIX, attrs, level: 9 }];
  }
  return zipSync(files);
}
