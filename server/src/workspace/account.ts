/**
 * The account scope: skills that a person has in every workspace, in a folder that the settings or a catalog's
 * `account_skills` name (docs/format.md, sections 4, "Scope", and 6). A skill of the workspace hides one of the account
 * by its name.
 */
import { resolvePath } from './links.ts';
import type { Index } from './workspace-index.ts';

export interface AccountOptions {
  /** The URI of the user's home; undefined for a host that reaches nothing outside the workspace. */
  readonly home: string | undefined;
  /** The workspace's folders, as URIs. */
  readonly roots: readonly string[];
  /** The folder of the user's settings, as written; it is read from the home. */
  readonly setting: string | undefined;
  /** False where the workspace's own catalogs may not name folders outside of it. */
  readonly trustsCatalogs: boolean;
}

/** The URIs of the folders, without a trailing slash, each once and sorted. */
export function accountFolders(
  { catalogs, graph }: Pick<Index, 'catalogs' | 'graph'>,
  options: AccountOptions,
): readonly string[] {
  const { home, roots, setting, trustsCatalogs } = options;
  if (home === undefined) return [];
  // A catalog of the account cannot add further folders, which might go on without end.
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

/** `~/x` from the home, `x` from the folder of its catalog or setting, `/x` and `C:\x` as they are. */
function resolveFolder(written: string, base: string, home: string): string {
  const path = written.trim().replace(/[\\/]+$/, '');
  if (/^~(?:[\\/]|$)/.test(path)) return resolvePath(home, path.slice(1));
  const drive = /^([a-z]):[\\/]/i.exec(path)?.[1];
  if (drive) return resolvePath('file://', `${drive.toLowerCase()}${path.slice(1)}`);
  return resolvePath(/^[\\/]/.test(written.trim()) ? 'file://' : base, path);
}

const isBelowAny = (uri: string, folders: readonly string[]): boolean =>
  folders.some((folder) => uri.startsWith(`${folder}/`));
