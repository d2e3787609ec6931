/** The one way in which hosts reach files: four methods, so that every host can be given another. */
export interface Files {
  /** The URI of the user's home; undefined where nothing outside the workspace can be reached. */
  readonly home?: string;
  /** The URIs of the files below the folders that match a glob, without those of dependencies and of git. */
  find(folders: readonly string[], globs: readonly string[]): Promise<readonly string[]>;
  /** The file's text; undefined where there is none that can be read. */
  read(uri: string): Promise<string | undefined>;
  exists(uri: string): Promise<boolean>;
  /** What is directly in a folder; nothing where there is no such folder. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  /** Where files can be read while code runs: their texts then need not be kept. */
  readonly disk?: Disk;
}

/** Files that are read at once. What cannot be read is not there. */
export interface Disk {
  read(uri: string): string | undefined;
  stamp(uri: string): Stamp | undefined;
}

/** What tells one state of a file from another without reading it. */
export interface Stamp {
  /** Bytes. */
  readonly size: number;
  /** Milliseconds, with what the file system knows of smaller parts. */
  readonly mtime: number;
}

export const sameStamp = (a: Stamp | undefined, b: Stamp | undefined): boolean =>
  a !== undefined && b !== undefined && a.size === b.size && a.mtime === b.mtime;

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Folders whose files are never skills of the workspace. */
export const IGNORED: readonly string[] = ['**/node_modules/**', '**/.git/**'];
