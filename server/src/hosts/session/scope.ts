/** Which files the session serves: what the settings' patterns match below the folders of the workspace. */
import { allGlobs, isBelow, servedTest } from '../disk/served-files.ts';

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
}
