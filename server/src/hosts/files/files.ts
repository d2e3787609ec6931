import type { FileLink } from '../../agent-skills/subject.ts';
import type { Change } from '../../analysis/workspace.ts';
import type { FileContent } from '../../protocol.ts';

/** How hosts reach files; every host has its own. */
export interface Files {
  /** The URI of the user's home; undefined where nothing outside the workspace can be reached. */
  readonly home?: string;
  /** The URIs of the files below the folders that match a glob, without those of dependencies and of git. */
  find(folders: readonly string[], globs: readonly string[]): Promise<readonly string[]>;
  /** What is in a file; of a link what the scope allows. */
  read(uri: string, scope: LinkScope): Promise<FileContent>;
  exists(uri: string): Promise<boolean>;
  /** Which of a file and its folder is a symbolic link; undefined where neither is. Not every host can tell. */
  linkOf?(uri: string, scope: LinkScope): Promise<FileLink | undefined>;
  /** What is directly in a folder; nothing where there is no such folder. */
  list(folder: string): Promise<readonly FolderEntry[]>;
}

/** Which links are followed. */
export interface LinkScope {
  /** The URIs of the folders that links may lead to. */
  readonly folders: readonly string[];
  /** Whether a file is read by itself, so that a link to it is the same file once more. */
  readsItself(uri: string): boolean;
}

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Files to write and to remove. Paths are below a folder, with `/`. */
export interface TreeChange {
  readonly write: readonly { readonly path: string; readonly bytes: Uint8Array; readonly isExecutable: boolean }[];
  readonly remove: readonly string[];
}

/** Folders whose files are never skills of the workspace; the last one is there while skills are being installed. */
export const IGNORED: readonly string[] = ['**/node_modules/**', '**/.git/**', '**/.skill-composer-*.tmp/**'];

/** What a workspace is to take in of a file. */
export function changeOf(uri: string, content: FileContent): Change {
  if (content.kind === 'text') return { kind: 'text', uri, text: content.text };
  return content.kind === 'unreadable' ? { kind: 'unreadable', uri, reason: content.reason } : { kind: 'delete', uri };
}
