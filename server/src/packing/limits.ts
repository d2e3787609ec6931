/** The limits for an archive or a folder that is packed or installed (docs/installing.md, "What is refused"). */

/** The maximum number of entries, including the folders that an archive lists. */
export const MAX_ENTRIES = 10_000;
export const MAX_ARCHIVE_BYTES = 50 * 1024 * 1024;
export const MAX_ENTRY_BYTES = 20 * 1024 * 1024;
/** The maximum total size of all unpacked entries. */
export const MAX_TOTAL_BYTES = 100 * 1024 * 1024;

/** The limits for one archive. Sizes are in bytes. */
export interface ArchiveLimits {
  readonly entries: number;
  /** The size of the archive. */
  readonly packed: number;
  /** The unpacked size of one entry. */
  readonly entry: number;
  /** The total size of all unpacked entries. */
  readonly total: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: MAX_ENTRIES,
  packed: MAX_ARCHIVE_BYTES,
  entry: MAX_ENTRY_BYTES,
  total: MAX_TOTAL_BYTES,
};

export const MAX_PATH = 240;
export const MAX_DEPTH = 20;
