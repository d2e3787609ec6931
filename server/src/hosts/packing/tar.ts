/** Reads and writes gzipped tar archives. Only this file imports the tar library. */
import { gzipSync } from 'fflate';
import { packTar, unpackTar } from 'modern-tar';
import type { ArchiveLimits } from '../../packing/limits.ts';
import { UserError } from '../user-error.ts';
import { type ArchiveEntry, EntryGuard, type EntryHeader, entryPath, tooLarge } from './entry-guard.ts';

/** The maximum size of an entry's headers and padding, in bytes. */
const ENTRY_OVERHEAD = 2048;

const BLOCK = 512;

/** Returns the files of a gzipped tar. Throws a `UserError` whose message is a clause about the archive. */
export async function readTar(bytes: Uint8Array, limits: ArchiveLimits): Promise<readonly ArchiveEntry[]> {
  const tar = await unzipped(bytes, limits);
  // The library does not report an archive that ends within its last entry.
  if (tar.length % BLOCK !== 0 || tar.length === 0) throw new UserError('it is truncated or not a tar');
  const guard = new EntryGuard(limits);
  const sparse = oldSparseNames(tar);
  const files: { readonly path: string; readonly size: number }[] = [];
  const found = await unpackTar(tar, {
    strict: true,
    filter: ({ name, type, size, pax = {} }) => {
      const path = type === 'directory' ? name : name.replace(/\/$/, '/.');
      const isSparse = 'GNU.sparse.major' in pax || 'GNU.sparse.map' in pax || sparse.has(name);
      const kind = isSparse ? 'sparse' : (KINDS.get(type ?? 'file') ?? 'unknown');
      const isFile = guard.admits({ path, kind, size });
      if (isFile) files.push({ path, size });
      return isFile;
    },
  }).catch((error: unknown) => {
    if (error instanceof UserError) throw error;
    throw new UserError('it is truncated or not a tar');
  });
  return found.map(({ header, data = new Uint8Array() }) => {
    if (data.length !== header.size) throw new UserError('it is truncated or not a tar');
    return { path: entryPath(header.name), bytes: data, isExecutable: ((header.mode ?? 0) & 0o100) !== 0 };
  });
}

/** Returns the names of entries with GNU's type `S` (sparse), which the library treats as normal files. */
function oldSparseNames(tar: Uint8Array): ReadonlySet<string> {
  const names = new Set<string>();
  const decoder = new TextDecoder();
  for (let at = 0; at < tar.length; at += BLOCK) {
    if (tar[at + 156] !== 0x53 || decoder.decode(tar.subarray(at + 257, at + 262)) !== 'ustar') continue;
    names.add(decoder.decode(tar.subarray(at, at + 100)).replace(/\0.*$/s, ''));
  }
  return names;
}

const KINDS: ReadonlyMap<string, EntryHeader['kind']> = new Map([
  ['file', 'file'],
  ['directory', 'folder'],
  ['link', 'link'],
  ['symlink', 'link'],
  ['character-device', 'device'],
  ['block-device', 'device'],
  ['fifo', 'device'],
] as const);

/** The number of bytes to unpack at a time. The limit is checked after they have expanded, up to a thousandfold. */
const PART = 16 * 1024;

async function unzipped(bytes: Uint8Array, { entries, total }: ArchiveLimits): Promise<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  const written = give(bytes, writable.getWriter());
  // A broken archive also rejects the read below.
  written.catch(() => {});
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (const reader = readable.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
      if (length <= total + entries * ENTRY_OVERHEAD) continue;
      await reader.cancel().catch(() => {});
      throw new UserError(tooLarge(total));
    }
    await written;
  } catch (error) {
    throw error instanceof UserError ? error : new UserError('it is truncated or its compression is invalid');
  }
  return joined(chunks, length);
}

async function give(bytes: Uint8Array, writer: WritableStreamDefaultWriter<BufferSource>): Promise<void> {
  for (let at = 0; at < bytes.length; at += PART) await writer.write(Uint8Array.from(bytes.subarray(at, at + PART)));
  await writer.close();
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/**
 * Returns a gzipped tar. JavaScript code compresses the tar, since zlib may give other bytes in another Node version.
 */
export async function writeTar(entries: readonly ArchiveEntry[]): Promise<Uint8Array> {
  const tar = await packTar(
    entries.map(({ path, bytes, isExecutable }) => ({
      header: { name: path, size: bytes.length, type: 'file', mode: isExecutable ? 0o755 : 0o644, mtime: new Date(0) },
      body: bytes,
    })),
  );
  return gzipSync(tar, { mtime: 0, level: 9 });
}
