/** Keeps the skills of the account scope in the workspace: looks for their folders, reads them, reads them anew. */
import { URI } from 'vscode-uri';
import { type AccountOptions, accountFolders } from '../workspace/account.ts';
import type { Affected, Workspace } from '../workspace/workspace.ts';
import type { Files } from './files.ts';

export interface AccountSkillsOptions {
  readonly workspace: Workspace;
  readonly files: Files;
  readonly options: () => Omit<AccountOptions, 'home'>;
  readonly globs: () => readonly string[];
  readonly mark: (affected: Affected) => void;
  readonly read: (uri: string) => Promise<void>;
  /** Called with the folders that are to be watched from now on. */
  readonly watch: (folders: readonly string[]) => void;
}

export interface AccountSkills {
  /** True where what is read of the account is not what the settings and the catalogs ask for. */
  isOutdated(): boolean;
  /** Takes these folders for the account's without reading them. False where others are asked for. */
  recall(folders: readonly string[]): boolean;
  /** Reads all skills of the account. */
  load(): Promise<void>;
}

const AT_ONCE = 32;

export function createAccountSkills(given: AccountSkillsOptions): AccountSkills {
  const { workspace, files, mark, read, watch } = given;
  let known: readonly string[] = [];
  // As the editor writes it, so that a file found there and a folder have one spelling.
  const wanted = () => accountFolders(workspace.index(), { ...given.options(), home: files.home }).map(spelt);
  const isOutdated = (): boolean => JSON.stringify(wanted()) !== JSON.stringify(known);
  const take = (folders: readonly string[]): void => {
    known = folders;
    watch(known);
    mark(workspace.apply({ kind: 'account', folders: known }));
  };
  return {
    isOutdated,
    recall(folders) {
      if (JSON.stringify(wanted()) !== JSON.stringify(folders)) return false;
      if (isOutdated()) take(folders);
      return true;
    },
    async load() {
      const before = known;
      if (isOutdated()) take(wanted());
      const found = known.length > 0 ? await files.find(known, given.globs()) : [];
      const left = new Set(found);
      const { roots } = given.options();
      const isLeft = (uri: string) => left.has(uri) || roots.some((root) => uri.startsWith(`${root}/`));
      for (const uri of workspace.index().documents.keys()) {
        const isOfOld = before.some((folder) => uri.startsWith(`${folder}/`));
        if (isOfOld && !isLeft(uri)) mark(workspace.apply({ kind: 'delete', uri }));
      }
      for (let at = 0; at < found.length; at += AT_ONCE) await Promise.all(found.slice(at, at + AT_ONCE).map(read));
    },
  };
}

const spelt = (folder: string): string => URI.parse(folder).toString();
