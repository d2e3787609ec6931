/** The files of a skill's folder, and how much of them is read (docs/abilities.md). */

/** A file of the folder, by its path below it. */
export interface FolderFile {
  readonly path: string;
  /** Undefined where it could not be read, is no text, or too large. */
  readonly text: string | undefined;
  readonly isTooLarge?: boolean;
}

export const MAX_FILES = 200;
/** In characters. */
export const MAX_LENGTH = 1_000_000;
