/** A source to pack or to install: the files of a folder or of an archive, by their paths relative to its root. */
import { MAX_LENGTH } from '../../abilities/folder.ts';
import type { ArchiveEntry } from '../../io/archives/entry-guard.ts';
import { isUserError, UserError } from '../../io/user-error.ts';
import { MAX_ARCHIVE_BYTES } from '../../packing/limits.ts';
import { bytesDigest } from '../../skill/content-digest.ts';
import { UNREADABLE, type Unreadable } from '../../workspace/unreadable.ts';

export interface SourceFile extends ArchiveEntry {
  readonly text: string | undefined;
  readonly digest: string;
}

export interface ExcludedFile {
  readonly path: string;
  /** The reason, as a predicate of the path: "is a device". */
  readonly why: string;
}

export interface Source {
  /** The name of the folder or of the archive. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'archive';
  /** The paths of the files, sorted. */
  readonly paths: readonly string[];
  /** The path of the skill file, if the source is a single skill file. */
  readonly only: string | undefined;
  readonly leftOut: readonly ExcludedFile[];
  /** Reads a file. Throws a `UserError` if it can no longer be read. */
  read(path: string): Promise<SourceFile>;
}

/**
 * The names of ignored folders and files: dependencies, version control, caches, and files that operating systems
 * create.
 */
const PASSED_OVER =
  /^(?:node_modules|\.git|\.hg|\.svn|__pycache__|\.venv|\.DS_Store|__MACOSX|\._.*|Thumbs\.db|desktop\.ini|\.skill-composer-.*)$/i;

export const isIgnoredName = (name: string): boolean => PASSED_OVER.test(name);

const MEGA = 2 ** 20;

/** The content of a file, or the reason why it cannot be read. */
export type Read = { readonly bytes: Uint8Array; readonly isExecutable: boolean } | Unreadable | 'absent';

/** Opens an archive from its content. `shown` is its name in messages. Throws a `UserError` if it is refused. */
export async function openArchive(read: Read, name: string, shown: string): Promise<Source> {
  if (typeof read === 'string') {
    throw new UserError(`${shown} cannot be read: ${reasonFor(read, MAX_ARCHIVE_BYTES)}.`);
  }
  // The archive library is loaded only if it is needed.
  const { readArchive } = await import('../../io/archives/archive.ts');
  const entries = await readArchive(read.bytes).catch((error: unknown) => {
    if (!isUserError(error)) throw error;
    throw new UserError(`Not installed: ${shown} is refused, because ${error.message}.`);
  });
  const kept = entries.filter(({ path }) => !path.split('/').some(isIgnoredName));
  const byPath = new Map(kept.map((entry) => [entry.path, entry]));
  return {
    name: name.replace(/\.(?:skill|zip|tgz|tar\.gz)$/i, ''),
    kind: 'archive',
    only: undefined,
    paths: [...byPath.keys()],
    leftOut: [],
    read: async (path) => withTextAndDigest(byPath.get(path) as ArchiveEntry),
  };
}

export const reasonFor = (reason: Unreadable | 'absent', most: number): string => {
  if (reason === 'too-large') return `it is larger than ${most / MEGA} MiB`;
  return reason === 'absent' ? 'it does not exist' : UNREADABLE[reason].reason;
};

/** Returns an entry with its text and its digest. */
export function withTextAndDigest(entry: ArchiveEntry): SourceFile {
  const text = textIn(entry.bytes);
  const isText = text !== undefined && !text.includes('\0') && text.length <= MAX_LENGTH;
  return { ...entry, text: isText ? text : undefined, digest: bytesDigest(entry.bytes) };
}

/** Returns the text of bytes, or undefined if they are not UTF-8. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The first bytes of programs, in hexadecimal digits: ELF, Windows and macOS. */
const PROGRAM = /^(?:7f454c46|4d5a|feedfac[ef]|cffaedfe|cefaedfe|cafebabe)/;

export const isProgram = ({ bytes, isExecutable }: ArchiveEntry): boolean =>
  isExecutable || PROGRAM.test([...bytes.subarray(0, 4)].map((one) => one.toString(16).padStart(2, '0')).join(''));
