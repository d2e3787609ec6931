/**
 * The headers of a tar, read strictly (docs/installing.md, "What is refused"). Libraries accept more: they hide the
 * types of headers, and how several headers describe one entry.
 */
import { UserError } from '../user-error.ts';
import type { EntryHeader } from './entry-guard.ts';

const BLOCK = 512;

/** The maximum size of what describes one entry, such as its long name, in bytes. */
const MAX_DESCRIPTION = 8 * 2 ** 20;

const BROKEN = 'it is truncated or not a tar';

const AMBIGUOUS = 'programs read its headers differently. Pack its files with another program';

/** The kinds of entries by their type flag. */
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

/** The attributes that describe only one entry. */
const OF_ONE_ENTRY = ['path', 'linkpath', 'size'];

const LATIN1 = new TextDecoder('latin1');
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

export interface TarEntry extends EntryHeader {
  readonly isExecutable: boolean;
}

/** One block with a header. */
interface Header extends TarEntry {
  readonly flag: string;
}

/** Reads a tar from its start. Every method throws a `UserError` whose message is a clause about the archive. */
export class TarReader {
  readonly #tar: Uint8Array;
  #at = 0;

  constructor(tar: Uint8Array) {
    if (tar.length % BLOCK !== 0) throw new UserError(BROKEN);
    this.#tar = tar;
  }

  /** Returns the next entry, or undefined at the end. The contents of the entry before it must have been taken. */
  next(): TarEntry | undefined {
    const seen = new Set<string>();
    let path: string | undefined;
    let size: string | undefined;
    let isSparse = false;
    for (let header = this.#header(); header; header = this.#header()) {
      const { flag } = header;
      if (!DESCRIBING.includes(flag)) {
        return entryOf({ ...header, path: path ?? header.path, ...(isSparse && { kind: 'sparse' }) }, size);
      }
      // The attributes of an entry come last, and each header at most once.
      if (seen.has('x') || (flag !== 'g' && seen.has(flag))) throw new UserError(AMBIGUOUS);
      seen.add(flag);
      if (header.size > MAX_DESCRIPTION) throw new UserError(BROKEN);
      const description = this.take(header.size);
      if (flag === 'L') path = stringIn(description);
      if (flag === 'L' || flag === 'K') continue;
      const attributes = attributesIn(description);
      isSparse ||= [...attributes.keys()].some((key) => key.startsWith('GNU.sparse.'));
      // Not all programs apply these attributes to all following entries.
      if (flag === 'g' && OF_ONE_ENTRY.some((key) => attributes.has(key))) throw new UserError(AMBIGUOUS);
      path = attributes.get('path') ?? path;
      size = attributes.get('size');
    }
    if (seen.size > 0) throw new UserError(AMBIGUOUS);
    return undefined;
  }

  /** Returns the next bytes, and skips the padding after them. */
  take(size: number): Uint8Array {
    const start = this.#at;
    this.#at += Math.ceil(size / BLOCK) * BLOCK;
    if (this.#at > this.#tar.length) throw new UserError(BROKEN);
    return this.#tar.subarray(start, start + size);
  }

  /** Returns the next header, or undefined at the end, which is two or more blocks of zeros. */
  #header(): Header | undefined {
    const block = this.take(BLOCK);
    if (isZero(block)) {
      const rest = this.take(this.#tar.length - this.#at);
      if (rest.length === 0 || !isZero(rest)) throw new UserError(BROKEN);
      return undefined;
    }
    if (numberIn(block.subarray(148, 156)) !== checksumOf(block)) throw new UserError(BROKEN);
    const flag = LATIN1.decode(block.subarray(156, 157));
    const name = stringIn(block.subarray(0, 100));
    // In the format of GNU tar, the magic ends with a space, and other data is at the position of the prefix.
    const isUstar = LATIN1.decode(block.subarray(257, 263)) === 'ustar\0';
    const prefix = isUstar ? stringIn(block.subarray(345, 500)) : '';
    const mode = numberIn(block.subarray(100, 108));
    if (mode === undefined) throw new UserError(BROKEN);
    return {
      flag,
      path: prefix === '' ? name : `${prefix}/${name}`,
      kind: KINDS.get(flag) ?? 'unknown',
      size: sizeIn(block.subarray(124, 136)),
      isExecutable: (mode & 0o100) !== 0,
    };
  }
}

/** Returns the entry of a header. `declared` is the size in its attributes. */
function entryOf(header: Header, declared: string | undefined): TarEntry {
  const { path, size, isExecutable } = header;
  // Old programs write a folder as a file whose name ends with a slash.
  const kind = header.kind === 'file' && path.endsWith('/') ? 'folder' : header.kind;
  const isKept = kind === 'file' || kind === 'folder';
  if (isKept && declared !== undefined && declared !== String(size)) throw new UserError(AMBIGUOUS);
  if (kind === 'folder' && size > 0) throw new UserError(AMBIGUOUS);
  return { path, kind, size, isExecutable };
}

/** Returns the size of the contents. Other notations than octal are only necessary above the limits. */
function sizeIn(field: Uint8Array): number {
  const size = numberIn(field);
  if (size !== undefined) return size;
  // Some programs skip a space between digits, and read a number in binary after the first byte 0x80.
  throw new UserError(field[0] === 0x80 || /^[ 0-7]/.test(LATIN1.decode(field)) ? AMBIGUOUS : BROKEN);
}

/** Returns an octal number, or undefined for other text. */
function numberIn(field: Uint8Array): number | undefined {
  const digits = /^[ 0]*([0-7]*)[ \0]*$/.exec(LATIN1.decode(field))?.[1];
  return digits === undefined ? undefined : Number.parseInt(`0${digits}`, 8);
}

/** Returns the text before the first zero. */
function stringIn(field: Uint8Array): string {
  const end = field.indexOf(0);
  return UTF8.decode(end < 0 ? field : field.subarray(0, end));
}

/** Returns the sum of the bytes, with spaces at the position of the checksum. */
const checksumOf = (block: Uint8Array): number =>
  block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** Returns the values of attributes, each in a record such as `12 path=a/b` with its length. */
function attributesIn(records: Uint8Array): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (let at = 0; at < records.length; ) {
    const head = LATIN1.decode(records.subarray(at, at + MAX_KEY));
    const [start = '', length = '0', key = ''] = /^(\d{1,9}) ([^=\n]+)=/.exec(head) ?? [];
    const end = at + Number(length);
    const valueAt = at + start.length;
    if (key === '' || end <= valueAt || records[end - 1] !== LINE_FEED) throw new UserError(AMBIGUOUS);
    values.set(key, UTF8.decode(records.subarray(valueAt, end - 1)));
    at = end;
  }
  return values;
}

const MAX_KEY = 1000;
const LINE_FEED = 10;
