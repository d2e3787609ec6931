/** The one way in which hosts reach files: three methods, so that every host can be given another. */
export interface Files {
  /** The URIs of the files below the folders that match a glob, without those of dependencies and of git. */
  find(folders: readonly string[], globs: readonly string[]): Promise<readonly string[]>;
  /** The file's text; undefined where there is none that can be read. */
  read(uri: string): Promise<string | undefined>;
  exists(uri: string): Promise<boolean>;
}

/** Folders whose files are never skills of the workspace. */
export const IGNORED: readonly string[] = ['**/node_modules/**', '**/.git/**'];
