/**
 * Globs in settings, as editors define them: `*`, `?`, `[a-z]`, `{a,b}` and `**`. `!glob` excludes files, and the plain
 * name of a folder matches all files below it. Settings are not trusted. To limit the time of a match, each name in a
 * path is matched separately, with few wildcards (`globProblem`).
 */
import picomatch from 'picomatch';
import { CATALOG_FILES, CLIENT_FILES, expandBraces, globProblem, PLUGIN_FILES } from '../protocol/files.ts';
import { decoded, dialectOf, fileNameOf, isPlainMarkdown } from '../vocabulary/dialect.ts';
import { IGNORED } from './files.ts';

/** Returns a test for paths relative to a folder. An invalid glob matches nothing. */
export function globTest(globs: readonly string[]): (path: string) => boolean {
  const usable = globs.filter((glob) => globProblem(glob) === undefined);
  const excluded = usable.flatMap((glob) => (glob.startsWith('!') ? partsOf(glob.slice(1)) : []));
  const included = usable.flatMap((glob) => (glob.startsWith('!') ? [] : partsOf(glob)));
  return (path) => {
    const names = path.split('/');
    const isMatch = (parts: readonly NameTest[]) => matches(parts, names);
    return included.some(isMatch) && !excluded.some(isMatch);
  };
}

/** Returns globs that match at least the same files in any folder, by their names. */
export const nameGlobs = (globs: readonly string[]): readonly string[] => {
  const included = globs.filter((glob) => !glob.startsWith('!')).flatMap((glob) => expandBraces(glob) ?? []);
  // The plain name of a folder matches all files below it.
  if (included.some((glob) => !/[*?[]/.test(glob))) return ['**/*'];
  return [...new Set(included.map((glob) => `**/${fileNameOf(glob.replace(/\/$/, ''))}`))];
};

/** A test for one name in a path; `**` matches any number of names. */
type NameTest = '**' | ((name: string) => boolean);

const partsOf = (glob: string): readonly (readonly NameTest[])[] =>
  (expandBraces(glob) ?? []).flatMap((one) => {
    const parts = one.replace(/^\.\//, '').replace(/\/$/, '').split('/').map(partOf);
    return /[*?[]/.test(one) ? [parts] : [parts, [...parts, '**' as const]];
  });

function partOf(name: string): NameTest {
  if (name === '**') return '**';
  if (!/[*?[\\]/.test(name)) return (other) => other === name;
  // Unescaped parentheses would become a group of the regular expression.
  const pattern = picomatch.makeRe(name.replace(/[(){}|]/g, '\\$&'), {
    ...{ dot: true, nobrace: true, noextglob: true, nonegate: true, windows: false },
  });
  return (other) => pattern.test(other);
}

/** Returns whether the parts match the names. Tracks all reachable positions in the parts instead of backtracking. */
function matches(parts: readonly NameTest[], names: readonly string[]): boolean {
  const last = parts.at(-1);
  // Test the file name first, because it excludes most paths.
  if (typeof last === 'function' && !last(names.at(-1) ?? '')) return false;
  let places = reach(parts, [0]);
  for (const name of names) {
    const next = places.flatMap((place) => {
      const part = parts[place];
      if (part === undefined) return [];
      if (part === '**') return [place];
      return part(name) ? [place + 1] : [];
    });
    if (next.length === 0) return false;
    places = reach(parts, next);
  }
  return places.includes(parts.length);
}

/** Adds the positions after each `**`, which may match no name. */
function reach(parts: readonly NameTest[], places: readonly number[]): readonly number[] {
  const all = new Set(places);
  for (const place of all) if (parts[place] === '**') all.add(place + 1);
  return [...all];
}

/** Returns whether a path is in a folder whose files are never skills of the workspace. */
export const isIgnored: (path: string) => boolean = picomatch([...IGNORED], { dot: true });

/** The served files: catalogs, and files below the workspace folders that match the globs of the setting. */
interface ServedFiles {
  readonly folders: readonly string[];
  readonly globs: readonly string[];
}

/** Returns the globs of skills, catalogs, manifests of plugins, agents and commands. */
export const allGlobs = ({ globs }: ServedFiles): readonly string[] => [
  ...globs,
  ...CATALOG_FILES,
  ...PLUGIN_FILES,
  ...CLIENT_FILES,
];

/**
 * Returns a function that tests whether a URI matches. A file is matched by its path relative to each folder that
 * contains the file; a file outside all folders by its whole path. Unsaved text is always served.
 */
export function servedTest(served: ServedFiles): (uri: string) => boolean {
  const matches = globTest(allGlobs(served));
  return (uri) => {
    if (uri.startsWith('untitled:')) return true;
    const folders = served.folders.filter((folder) => isBelow(uri, [folder]));
    const inside = folders.map((folder) => uri.slice(folder.length + 1));
    const paths = inside.length > 0 ? inside : [uri.replace(/^[a-z][a-z0-9+.-]*:\/*/i, '')];
    return paths.some((path) => matches(decoded(path)));
  };
}

/** Returns whether a search in the folders may find a file. */
export const isSearched = (uri: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isBelow(uri, [folder]) && !isIgnored(uri.slice(folder.length + 1)));

export const CATALOG_NAMES: readonly string[] = CATALOG_FILES.map((glob) => glob.slice(glob.lastIndexOf('/') + 1));

/** Returns whether a file is a catalog or a tool snapshot, according to its name. */
export const isCatalog = (uri: string): boolean => CATALOG_NAMES.some((name) => uri.endsWith(`/${name}`));

/** Returns whether a name is a file name for a skill or a catalog, so that a folder with this name is a mistake. */
export const isNamedAsFile = (name: string): boolean =>
  CATALOG_NAMES.includes(name) || (dialectOf(name) !== undefined && !isPlainMarkdown(name));

export const isBelow = (uri: string, folders: readonly string[]): boolean =>
  folders.some((folder) => uri.startsWith(`${folder}/`));
