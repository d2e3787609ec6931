/** The files of a skill's folder, and the limits for reading them (docs/abilities.md). */

/** A file in the skill's folder, with a path relative to this folder. */
export interface FolderFile {
  readonly path: string;
  /** Undefined if the file cannot be read, is not text, or is too large. */
  readonly text: string | undefined;
  readonly isTooLarge?: boolean;
  /** True if a script has the executable bit, in git or on the disk; undefined if this is unknown. */
  readonly isExecutable?: boolean;
  /** True for a script whose lines end with LF in git, although they may end with CRLF on the disk. */
  readonly isCommittedWithLf?: boolean;
}

export const MAX_FILES = 200;
/** The maximum length of a file, in characters. */
export const MAX_LENGTH = 1_000_000;
