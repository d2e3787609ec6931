/** A folder that skills are packed from and installed into, on a disk or as the client of a browser reaches it. */
import { URI } from 'vscode-uri';
import type { TreeChange } from '../files/files.ts';
import type { FolderSubset } from './folder-source.ts';
import type { Read, Source } from './source.ts';

/** Paths are below the folder, with `/`. Words are what a user names: paths of the machine, or URIs in a browser. */
export interface FolderAccess {
  readonly uri: string;
  /** The way from the folder to what is named: a path with `/`, or the word itself where none leads there. */
  wayTo(word: string): string;
  wayToUri(uri: string): string;
  /** What is named, or the folder itself. Asks no network; throws a `Refusal`. */
  open(word?: string): Promise<Source>;
  /** Some of its folders; lists no other. */
  openParts(folders: readonly string[]): Promise<FolderSubset>;
  /** The bytes of a regular file; through no link, and not of a file that is longer than `most`. */
  read(path: string, most: number): Promise<Read>;
  /** All of it or nothing; `changed` where `isUnchanged` says so. Rejects with the reason, a part of a sentence. */
  write(change: TreeChange, isUnchanged: () => Promise<boolean>): Promise<'written' | 'changed'>;
  /** Writes a file that is named anew, as a whole or not at all. */
  replace(word: string, bytes: Uint8Array): Promise<void>;
}

/** Gives the folder of a URI; throws a `Refusal` where the host does not reach it. */
export type OpenFolderAccess = (uri: string) => FolderAccess;

/** As VS Code writes it. */
export function uriAt({ uri }: Pick<FolderAccess, 'uri'>, path: string): string {
  const root = URI.parse(uri);
  return root.with({ path: `${root.path.replace(/\/$/, '')}/${path}` }).toString();
}

/** Whether such a way stays within the folder. */
export const staysWithin = (way: string): boolean => !/^(?:\.\.(?:\/|$)|\/|[a-z][a-z0-9+.-]*:)/i.test(way);
