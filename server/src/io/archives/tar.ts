/** Reads and writes gzipped tar archives. Only this file imports the tar library. */
import { gzipSync } from 'fflate';
import { packTar, unpackTar } from 'modern-tar';
import type { ArchiveLimits } from '../../packing/limits.ts';
import { isUserError, UserError } from '../user-error.ts';
import { type ArchiveEntry, EntryGuard, type EntryHeader, entryPath, tooLarge } from './entry-guard.ts';

/** The maximum size of an entry's headers and padding, in bytes. */
const ENTRY_OVERHEAD = 2048;

const BLOCK = 512;

const BROKEN = 'it is truncated or not a tar';

/** Returns the files of a gzipped tar. Throws a `UserError` whose message is a clause about the archive. */
export async function readTar(bytes: Uint8Array, limits: ArchiveLimits): Promise<readonly ArchiveEntry[]> {
  const tar = await unzipped(bytes, limits);
  // The library does not report an archive that ends within its last entry.
  if (tar.length % BLOCK !== 0 || tar.length === 0) throw new UserError(BROKEN);
  const guard = new EntryGuard(limits);
  const headers = new TarHeaders(tar);
  const found = await unpackTar(tar, {
    strict: true,
    filter: ({ name, type, size }) => {
      const kind = headers.next(size, type === 'directory');
      return guard.admits({ path: kind === 'folder' ? name : name.replace(/\/$/, '/.'), kind, size });
    },
  }).catch((error: unknown) => {
    throw isUserError(error) ? error : new UserError(BROKEN);
  });
  headers.end();
  return found.map(({ header, data = new Uint8Array() }) => {
    if (data.length !== header.size) throw new UserError(BROKEN);
    return { path: entryPath(header.name), bytes: data, isExecutable: ((header.mode ?? 0) & 0o100) !== 0 };
  });
}

/** The kinds of entries by their type flag. The library reports an unknown type as a file. */
const KINDS: ReadonlyMap<string, EntryHeader['kind']> = new Map([
  ['0', 'file'],
  ['\0', 'file'],
  ['7', 'file'],
  ['5', 'folder'],
  ['1', 'link'],
  ['2', 'link'],
  ['3', 'device'],
  ['4', 'device'],
  ['6', 'device'],
  ['S', 'sparse'],
] as const);

/** The type flags of headers that describe the next entry: a long name, a long link, attributes. */
const DESCRIBING = 'LKxg';

const LATIN1 = new TextDecoder('latin1');

const AMBIGUOUS = 'programs read its headers differently. Pack its files with another program';

/** Follows the headers that the library reads. Does not read contents, and refuses headers with two readings. */
class TarHeaders {
  readonly #tar: Uint8Array;
  #at = 0;

  constructor(tar: Uint8Array) {
    this.#tar = tar;
  }

  /** Returns the kind of the next entry. `size` and `isFolder` are the library's values. Throws a `UserError`. */
  next(size: number, isFolder: boolean): EntryHeader['kind'] {
    let seen = '';
    let isSparse = false;
    for (; DESCRIBING.includes(this.#flag); this.#skip(this.#size)) {
      // The attributes of an entry come last, and each header at most once.
      if (seen.includes('x') || (this.#flag !== 'g' && seen.includes(this.#flag))) throw new UserError(AMBIGUOUS);
      seen += this.#flag;
      if (!'xg'.includes(this.#flag)) continue;
      const keys = attributesIn(this.#latin1(BLOCK, this.#size));
      isSparse ||= keys.some((key) => key.startsWith('GNU.sparse.'));
      // Not all programs apply these attributes to all following entries.
      if (this.#flag === 'g' && keys.some((key) => OF_ONE_ENTRY.has(key))) throw new UserError(AMBIGUOUS);
    }
    const kind = isSparse ? 'sparse' : (KINDS.get(this.#flag) ?? 'unknown');
    const isKept = kind === 'file' || kind === 'folder';
    if (isKept && this.#size !== size) throw new UserError(AMBIGUOUS);
    this.#skip(size);
    return isKept ? (isFolder ? 'folder' : 'file') : kind;
  }

  /** Throws a `UserError` if further headers follow. */
  end(): void {
    if (!/^\0+$/.test(this.#latin1(0, BLOCK))) throw new UserError(AMBIGUOUS);
  }

  get #flag(): string {
    return this.#latin1(156, 1);
  }

  /** The size of the contents in the header. Other notations than octal are only necessary above the limits. */
  get #size(): number {
    const digits = /^[ 0]*([0-7]*)[ \0]*$/.exec(this.#latin1(124, 12))?.[1];
    if (digits === undefined) throw new UserError(AMBIGUOUS);
    return digits === '' ? 0 : Number.parseInt(digits, 8);
  }

  #latin1(offset: number, length: number): string {
    const start = this.#at + offset;
    return LATIN1.decode(this.#tar.subarray(start, start + length));
  }

  #skip(size: number): void {
    this.#at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** The attributes that describe only one entry. */
const OF_ONE_ENTRY: ReadonlySet<string> = new Set(['path', 'linkpath', 'size']);

/** Returns the keys of attributes, each in a record such as `12 path=a/b` with its length. */
function attributesIn(records: string): readonly string[] {
  const keys: string[] = [];
  for (let at = 0; at < records.length; ) {
    const [, length = '0', key = ''] = /^(\d{1,9}) ([^=\n]+)=/.exec(records.slice(at, at + MAX_KEY)) ?? [];
    at += Number(length);
    if (key === '' || records[at - 1] !== '\n') throw new UserError(AMBIGUOUS);
    keys.push(key);
  }
  return keys;
}

const MAX_KEY = 1000;

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
    throw isUserError(error) ? error : new UserError('it is truncated or its compression is invalid');
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
