/** The checks on each entry in an archive before the entry is unpacked (docs/installing.md, "What is refused"). */
import { pathProblem } from '../../packing/archive-path.ts';
import type { ArchiveLimits } from '../../packing/limits.ts';
import { UserError } from '../user-error.ts';

export interface ArchiveEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** The header of an entry, which is read before its bytes are unpacked. */
export interface EntryHeader {
  /** The path as it is written in the archive. The path of a folder ends with a slash. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'device' | 'sparse' | 'unknown' | 'encrypted';
  readonly size: number;
}

/** The number of bytes in a MiB. */
const MEGA = 2 ** 20;

export class EntryGuard {
  readonly #limits: ArchiveLimits;
  #entries = 0;
  #total = 0;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  /** Returns whether an entry is a file to unpack. Throws a `UserError` if the entry is not allowed. */
  admits({ path, kind, size }: EntryHeader): boolean {
    const shown = `\`${path.slice(0, 300)}\``;
    const { entries, entry, total } = this.#limits;
    if (++this.#entries > entries) throw new UserError(`it has more than ${entries} entries`);
    // `tar -C folder .` begins every path with `./`.
    const clean = entryPath(path);
    if (kind === 'folder' && clean === '') return false;
    const problem = pathProblem(clean);
    if (problem !== undefined) throw new UserError(`${shown} ${problem}`);
    if (kind === 'link') throw new UserError(`${shown} is a link`);
    if (kind === 'device') throw new UserError(`${shown} is a device`);
    if (kind === 'sparse') throw new UserError(`${shown} is a sparse file. Pack it without \`--sparse\``);
    if (kind === 'encrypted') throw new UserError(`${shown} is encrypted`);
    if (kind === 'unknown') throw new UserError(`${shown} is neither a file nor a folder`);
    if (size > entry) throw new UserError(`${shown} is larger than ${entry / MEGA} MiB`);
    this.#total += size;
    if (this.#total > total) throw new UserError(tooLarge(total));
    return kind === 'file';
  }
}

export const tooLarge = (total: number): string => `it unpacks to more than ${total / MEGA} MiB`;

export const entryPath = (path: string): string =>
  path
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/$/, '')
    .replace(/^\.$/, '');
