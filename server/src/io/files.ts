import type { FolderFile } from '../abilities/folder.ts';
import type { Change } from '../analysis/workspace.ts';
import type { FileLink } from '../clients/matrix/subject.ts';
import type { FileContent } from '../protocol.ts';
import type { NotCheckedOut } from '../workspace/workspace-index.ts';

/** Access to files. Every host implements this interface. */
export interface Files {
  /** The URI of the user's home; undefined if files outside the workspace cannot be read. */
  readonly home?: string;
  /**
   * Returns the URIs of the files below the folders that match a glob, except files in ignored folders (`IGNORED`).
   *
   * @param within the workspace folders in which paths are left out (`exclusions.ts`); none by default
   */
  find(
    folders: readonly string[],
    globs: readonly string[],
    within?: readonly string[] | undefined,
  ): Promise<readonly string[]>;
  /** Returns the files that `find` would not leave out. */
  withoutExcluded?(uris: readonly string[], within: readonly string[]): Promise<readonly string[]>;
  /** Returns the content of a file. Follows a link only if the scope allows it. */
  read(uri: string, scope: LinkScope): Promise<FileContent>;
  exists(uri: string): Promise<boolean>;
  /** Returns a function that returns why git has not checked out a missing file, for files that are checked together. Not in every host. */
  absences?(): (uri: string) => Promise<NotCheckedOut | undefined>;
  /** Returns which of a file and its folder are symbolic links; undefined if neither is. Not in every host. */
  linkOf?(uri: string, scope: LinkScope): Promise<FileLink | undefined>;
  /**
   * Returns the skills below folders that only clients find (`client-skills.ts`), also in the folders of frameworks. Not
   * in every host.
   */
  clientSkills?(
    folders: readonly string[],
    ofFrameworks: readonly string[],
    within?: readonly string[] | undefined,
  ): Promise<readonly ClientSkillFile[]>;
  /** Returns the files of a folder with the modes of its scripts. Not in every host. */
  withModes?(folder: string, files: readonly FolderFile[]): Promise<readonly FolderFile[]>;
  /** Returns the direct entries of a folder; an empty list if the folder does not exist. */
  list(folder: string): Promise<readonly FolderEntry[]>;
}

/** A `SKILL.md` at a path that goes through a link or `node_modules`. */
export interface ClientSkillFile {
  readonly uri: string;
  readonly text: string;
  /** Undefined if no part of the path is a link. */
  readonly link: FileLink | undefined;
}

/** The links that are followed. */
export interface LinkScope {
  /** The URIs of the folders that links may point to. */
  readonly folders: readonly string[];
  /** Returns whether a file is also read directly, so that a link to it is a duplicate. */
  isReadDirectly(uri: string): boolean;
}

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** A file to write. The path is relative to a folder, with `/`. */
export interface FileToWrite {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** Files to write and to remove. Paths are relative to a folder, with `/`. */
export interface TreeChange {
  readonly write: readonly FileToWrite[];
  readonly remove: readonly string[];
  /** The unchanged files of the same skills, so that the folder of a skill can be replaced as a whole. */
  readonly same?: readonly FileToWrite[];
}

/**
 * Folders whose files are never skills of the workspace. The last glob matches folders of an installation: temporary
 * folders, and folders with files that another program changed during the installation.
 */
export const IGNORED: readonly string[] = ['**/node_modules/**', '**/.git/**', '**/.skill-composer-*/**'];

/** Returns the content of a file as a change to the workspace. */
export function changeOf(uri: string, content: FileContent): Change {
  if (content.kind === 'text') return { kind: 'text', uri, text: content.text };
  if (content.kind !== 'unreadable') return { kind: 'delete', uri };
  const { reason, replaced } = content;
  return { kind: 'unreadable', uri, reason, replaced };
}

/** Returns the URI of a folder without its final `/`, so that the URI of each file in it begins with `${folder}/`. */
export const folderUri = (uri: string): string => uri.replace(/\/$/, '');
