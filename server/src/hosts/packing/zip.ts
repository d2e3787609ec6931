/** Zip archives, which `.skill` files are. */
import { crc32 } from 'node:zlib';
import { type Zippable, zipSync } from 'fflate';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type ArchiveEntry, EntryGuard, type EntryHeader, entryPath } from './entry-guard.ts';
import { Refusal } from './refusal.ts';

const BROKEN = 'it is cut off, or its contents are not what its list says';

export async function readZip(bytes: Uint8Array): Promise<readonly ArchiveEntry[]> {
  const guard = new EntryGuard();
  const found: ArchiveEntry[] = [];
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true, strictFileNames: true });
    for await (const entry of zip.eachEntry()) {
      const isFile = guard.admits({ path: entry.fileName, kind: kindOf(entry), size: entry.uncompressedSize });
      if (!isFile) continue;
      const path = entryPath(entry.fileName);
      found.push({ path, bytes: await unpack(zip, entry), isExecutable: isExecutable(entry) });
    }
    return found;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(namesAPath(error) ?? BROKEN);
  }
}

/** The library ends a stream that is longer than the entry says. */
async function unpack(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) throw new Refusal(BROKEN);
  return bytes;
}

/** The library checks names itself, and says which one is at fault. */
function namesAPath(error: unknown): string | undefined {
  const { message } = error as Error;
  const [, fault, name = ''] =
    /^(absolute path|invalid relative path|invalid characters in fileName): (.*)$/s.exec(message) ?? [];
  if (fault === undefined) return undefined;
  const shown = `\`${name.slice(0, 300)}\``;
  if (fault === 'absolute path') return `${shown} is an absolute path`;
  return fault === 'invalid relative path' ? `${shown} leads out of the archive` : `${shown} has a backslash`;
}

/** The upper half of the attributes is the mode, where the archive was made on Unix. */
const modeOf = ({ versionMadeBy, externalFileAttributes }: Entry): number =>
  versionMadeBy >> 8 === UNIX || versionMadeBy >> 8 === MAC ? externalFileAttributes >>> 16 : 0;

const UNIX = 3;
const MAC = 19;

function kindOf(entry: Entry): EntryHeader['kind'] {
  if ((entry.generalPurposeBitFlag & 1) !== 0) return 'encrypted';
  // Some writers leave out the kind of file.
  const kind = modeOf(entry) & 0o170000;
  if (kind === 0o120000) return 'link';
  if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000) return 'device';
  return entry.fileName.endsWith('/') ? 'folder' : kind === 0o040000 ? 'unknown' : 'file';
}

const isExecutable = (entry: Entry): boolean => (modeOf(entry) & 0o100) !== 0;

/** The library takes a date by the local time, so that this one is the same everywhere: the first that a zip can hold. */
const FIRST_DAY = [1980, 0, 1] as const;

export async function writeZip(entries: readonly ArchiveEntry[]): Promise<Uint8Array> {
  const files: Zippable = {};
  for (const { path, bytes, isExecutable: isRun } of entries) {
    const attrs = ((0o100000 | (isRun ? 0o755 : 0o644)) << 16) >>> 0;
    files[path] = [bytes, { mtime: new Date(...FIRST_DAY), os: UNIX, attrs, level: 9 }];
  }
  return zipSync(files);
}
