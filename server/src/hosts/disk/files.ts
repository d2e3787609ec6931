/** How hosts reach files; every host has its own. */
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
}

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Folders whose files are never skills of the workspace. */
export const IGNORED: readonly string[] = ['**/node_modules/**', '**/.git/**'];
