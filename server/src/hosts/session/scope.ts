/** Which files the session serves: what the settings' patterns match below the folders of the workspace. */
import { folderOf } from '../../vocabulary/dialect.ts';
import type { LinkScope } from '../disk/files.ts';
import { isIgnored } from '../disk/globs.ts';
import { allGlobs, CATALOG_NAMES, isBelow, isCatalog, servedTest } from '../disk/served-files.ts';

export class Scope {
  readonly folders: readonly string[];
  /** The patterns of the settings. */
  readonly patterns: readonly string[];
  /** The folder of the account's skills, as the settings have it. */
  readonly accountSetting: string | undefined;
  /** The patterns with those of catalogs. */
  readonly globs: readonly string[];
  readonly serves: (uri: string) => boolean;

  constructor(folders: readonly string[], patterns: readonly string[], accountSetting: string | undefined) {
    this.folders = folders;
    this.patterns = patterns;
    this.accountSetting = accountSetting;
    this.globs = allGlobs({ folders, globs: patterns });
    this.serves = servedTest({ folders, globs: patterns });
  }

  withFolders(added: readonly string[], removed: readonly string[]): Scope {
    const left = this.folders.filter((folder) => !removed.includes(folder));
    return new Scope([...left, ...added], this.patterns, this.accountSetting);
  }

  holds(uri: string): boolean {
    return isBelow(uri, this.folders);
  }

  /** The places of the catalogs that may govern a file, and of their snapshots. */
  catalogsAbove(uri: string): readonly string[] {
    const root = this.folders.find((folder) => uri.startsWith(`${folder}/`)) ?? uri;
    const above: string[] = [];
    for (let folder = folderOf(uri); folder.length >= root.length; folder = folderOf(folder)) {
      above.push(...CATALOG_NAMES.map((name) => `${folder}/${name}`));
    }
    return above;
  }

  /** Links may lead to any file of the workspace and of the account. */
  linksWith(accountFolders: readonly string[]): LinkScope {
    const folders = [...this.folders, ...accountFolders];
    // A catalog counts where it stands, so a link to one is a catalog of its own.
    const isFound = (uri: string) =>
      folders.some((folder) => isBelow(uri, [folder]) && !isIgnored(uri.slice(folder.length + 1)));
    const readsItself = (uri: string) => this.serves(uri) && !isCatalog(uri) && isFound(uri);
    return { folders, readsItself };
  }
}
