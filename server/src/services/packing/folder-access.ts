/** Access to a folder from which skills are packed or into which they are installed, on disk or in a browser. */
import { URI } from 'vscode-uri';
import type { TreeChange } from '../../io/files.ts';
import type { LinkToWrite } from '../../io/write-links.ts';
import type { FolderSubset } from './folder-source.ts';
import type { Read, Source } from './source.ts';

/**
 * Access to a folder. Paths are relative to it, with `/`. A `word` is a path in the file system, or a URI in a browser.
 */
export interface FolderAccess {
  readonly uri: string;
  /** Returns the path that `word` names, relative to the folder, or `word` if there is no relative path. */
  relativePath(word: string): string;
  relativePathOfUri(uri: string): string;
  /** Opens the source that `word` names; without `word`, the folder itself. Uses no network. Throws a `UserError`. */
  open(word?: string): Promise<Source>;
  /** Opens only some of the folders below this folder. Other folders are not listed. */
  openParts(folders: readonly string[]): Promise<FolderSubset>;
  /**
   * Reads the bytes of a regular file. Refuses a link, a file that linked folders place outside this folder, and a file
   * of more than `most` bytes.
   */
  read(path: string, most: number): Promise<Read>;
  /** Returns the URI of a path, without symbolic links above the file. In a browser, links are not resolved. */
  realUri(path: string): Promise<string>;
  /**
   * Waits until no other process installs into this folder, and runs `work`. Throws a `UserError` if the wait is too
   * long.
   */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Undoes or finishes an installation that was interrupted. */
  settle(): Promise<void>;
  /**
   * Writes either all files or no file. Returns `changed` if `isUnchanged` returns false. Rejects with an error whose
   * message is a clause, or with a `UserError`.
   */
  write(change: TreeChange, isUnchanged: () => Promise<boolean>): Promise<'written' | 'changed'>;
  /** Reads and creates symbolic links; undefined if the system or the host has none. */
  readonly links?: LinkAccess;
  /** Writes a file atomically. Overwrites an existing file. */
  replace(word: string, bytes: Uint8Array): Promise<void>;
}

export interface LinkAccess {
  /** Returns the URI of the folder or file to which a path leads; undefined if the path is not a link. */
  find(path: string): Promise<string | undefined>;
  /** Creates all links or none, and returns a function that removes them. Rejects like `FolderAccess.write`. */
  write(links: readonly LinkToWrite[]): Promise<() => Promise<void>>;
}

/**
 * Returns access to the folder with this URI, which a request names. `note` shows a line to the user, such as the name
 * of a file that was kept. Throws a `UserError` if the host does not support the URI, or if the folder is outside the
 * workspace folders after links are resolved (docs/security.md, "What is kept and written").
 */
export type OpenFolderAccess = (uri: string, note?: (line: string) => void) => Promise<FolderAccess>;

/** Returns the URI of a path in a folder, in the form of VS Code. */
export function uriAt({ uri }: Pick<FolderAccess, 'uri'>, path: string): string {
  const root = URI.parse(uri);
  return root.with({ path: `${root.path.replace(/\/$/, '')}/${path}` }).toString();
}

/** Returns whether the result of `relativePath` is within the folder. */
export const isInsideFolder = (relativePath: string): boolean =>
  !/^(?:\.\.(?:\/|$)|\/|[a-z][a-z0-9+.-]*:)/i.test(relativePath);
