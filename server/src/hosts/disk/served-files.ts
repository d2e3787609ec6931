/** Which files are served: those that the setting's globs match below the workspace folders, and catalogs. */
import { CATALOG_FILES } from '../../protocol.ts';
import { decoded, dialectOf, isPlainMarkdown } from '../../vocabulary/dialect.ts';
import { globTest } from './globs.ts';

export interface ServedFiles {
  readonly folders: readonly string[];
  readonly globs: readonly string[];
}

/** The globs of skills and catalogs. */
export const allGlobs = ({ globs }: ServedFiles): readonly string[] => [...globs, ...CATALOG_FILES];

/**
 * A test for URIs. A file is matched by its path below any folder that holds it, as it is found; one outside every folder
 * by its whole path. Unsaved text is always served.
 */
export function servedTest(served: ServedFiles): (uri: string) => boolean {
  const matches = globTest(allGlobs(served));
  return (uri) => {
    if (uri.startsWith('untitled:')) return true;
    const holding = served.folders.filter((folder) => isBelow(uri, [folder]));
    const inside = holding.map((folder) => uri.slice(folder.length + 1));
    const paths = inside.length > 0 ? inside : [uri.replace(/^[a-z][a-z0-9+.-]*:\/*/i, '')];
    return paths.some((path) => matches(decoded(path)));
  };
}

export const CATALOG_NAMES: readonly string[] = CATALOG_FILES.map((glob) => glob.slice(glob.lastIndexOf('/') + 1));

/** Whether a file is a catalog or its tool snapshot, by its name. */
export const isCatalog = (uri: string): boolean => CATALOG_NAMES.some((name) => uri.endsWith(`/${name}`));

/** Whether a name alone says that there is a skill or a catalog, so that a folder of this name is a mistake. */
export const isNamedAsFile = (name: string): boolean =>
  CATALOG_NAMES.includes(name) || (dialectOf(name) !== undefined && !isPlainMarkdown(name));

export const isBelow = (uri: string, folders: readonly string[]): boolean =>
  folders.some((folder) => uri.startsWith(`${folder}/`));
