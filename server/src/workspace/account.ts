/**
 * The account scope, which contains the skills that a user has in every workspace (docs/format.md, sections 4, "Scope",
 * and 6). The settings or the key `account_skills` of a catalog list the folders of account skills. A skill of the
 * workspace hides an account skill of the same name.
 */
import { resolvePath } from '../skill-folder/links.ts';
import type { Index } from './workspace-index.ts';

export interface AccountOptions {
  /** The URI of the user's home; undefined if the host cannot read files outside the workspace. */
  readonly home: string | undefined;
  /** The URIs of the workspace folders. */
  readonly roots: readonly string[];
  /** The folder in the user's settings, as written; a relative path starts at the home folder. */
  readonly setting: string | undefined;
  /** False if the catalogs of the workspace are not allowed to name folders outside it. */
  readonly trustsCatalogs: boolean;
}

/**
 * Returns the URIs of the account's folders, without a trailing slash, sorted and without duplicates; empty without a
 * home. Never throws. Implements docs/format.md, section 4, "Scope".
 */
export function accountFolders(
  { catalogs, graph }: Pick<Index, 'catalogs' | 'graph'>,
  options: AccountOptions,
): readonly string[] {
  const { home, roots, setting, trustsCatalogs } = options;
  if (home === undefined) return [];
  // A catalog of the account cannot add folders: a chain of such catalogs could be endless.
  const named = trustsCatalogs
    ? [...catalogs.values()].filter(({ folder }) => !isBelowAny(`${folder}/`, graph.account))
    : [];
  const folders = [
    ...(setting ? [resolveFolder(setting, home, home)] : []),
    ...named.flatMap(({ accountSkills, folder }) =>
      accountSkills === undefined ? [] : [resolveFolder(accountSkills, folder, home)],
    ),
  ];
  const kept = new Set([home, ...roots, ...named.map(({ folder }) => folder)]);
  // A folder that contains the home or the workspace is a mistake, and might be a whole disk.
  const holds = (folder: string) => [...kept].some((inner) => `${inner}/`.startsWith(`${folder}/`));
  return [...new Set(folders)].filter((folder) => !holds(folder)).sort();
}

/**
 * Resolves `~/x` against the home folder, and `x` against the base folder of its catalog or setting; `/x` and `C:\x`
 * are absolute.
 */
function resolveFolder(written: string, base: string, home: string): string {
  const path = written.trim().replace(/[\\/]+$/, '');
  if (/^~(?:[\\/]|$)/.test(path)) return resolvePath(home, path.slice(1));
  const drive = /^([a-z]):[\\/]/i.exec(path)?.[1];
  if (drive) return resolvePath('file://', `${drive.toLowerCase()}${path.slice(1)}`);
  return resolvePath(/^[\\/]/.test(written.trim()) ? 'file://' : base, path);
}

const isBelowAny = (uri: string, folders: readonly string[]): boolean =>
  folders.some((folder) => uri.startsWith(`${folder}/`));
