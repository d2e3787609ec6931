/**
 * Globs of the settings, as editors know them: `*`, `?`, `[a-z]`, `{a,b}` and `**`; `!glob` excludes, and a folder's plain
 * name means all below it. Who writes a workspace's settings may be anybody, so each name of a path is matched for itself,
 * and by few wildcards: no glob takes long.
 */
import picomatch from 'picomatch';
import { CATALOG_FILES } from '../../protocol/files.ts';
import { decoded, dialectOf, isPlainMarkdown } from '../../vocabulary/dialect.ts';
import { IGNORED } from './files.ts';

const LONGEST = 500;
const MOST_ALTERNATIVES = 64;
const MOST_STARS = 3;

/** Tests paths relative to a folder. A glob that has a problem matches nothing. */
export function globTest(globs: readonly string[]): (path: string) => boolean {
  const usable = globs.filter((glob) => globProblem(glob) === undefined);
  const excluded = usable.flatMap((glob) => (glob.startsWith('!') ? partsOf(glob.slice(1)) : []));
  const included = usable.flatMap((glob) => (glob.startsWith('!') ? [] : partsOf(glob)));
  return (path) => {
    const names = path.split('/');
    const fits = (parts: readonly NameTest[]) => matches(parts, names);
    return included.some(fits) && !excluded.some(fits);
  };
}

/** Why a glob cannot be used; undefined where it can. */
export function globProblem(glob: string): string | undefined {
  const bare = glob.replace(/^!/, '');
  if (bare.trim() === '') return 'it is empty';
  if (bare.length > LONGEST) return `it has more than ${LONGEST} characters`;
  const all = alternativesOf(bare);
  if (!all) return `its braces stand for more than ${MOST_ALTERNATIVES} globs`;
  const isWild = all.some((one) => one.split('/').some((name) => [...name.matchAll(/\*+/g)].length > MOST_STARS));
  return isWild ? `a name in it has more than ${MOST_STARS} \`*\`` : undefined;
}

/** A test of one name of a path; `**` stands for any number of names. */
type NameTest = '**' | ((name: string) => boolean);

const partsOf = (glob: string): readonly (readonly NameTest[])[] =>
  (alternativesOf(glob) ?? []).flatMap((one) => {
    const parts = one.replace(/^\.\//, '').replace(/\/$/, '').split('/').map(partOf);
    return /[*?[]/.test(one) ? [parts] : [parts, [...parts, '**' as const]];
  });

function partOf(name: string): NameTest {
  if (name === '**') return '**';
  if (!/[*?[\\]/.test(name)) return (other) => other === name;
  // Parentheses would be a group of a regular expression.
  const pattern = picomatch.makeRe(name.replace(/[(){}|]/g, '\\$&'), {
    ...{ dot: true, nobrace: true, noextglob: true, nonegate: true, windows: false },
  });
  return (other) => pattern.test(other);
}

/** Whether the parts fit the names, one by one: all places in the parts that can be reached are kept, never tried again. */
function matches(parts: readonly NameTest[], names: readonly string[]): boolean {
  const last = parts.at(-1);
  // Most paths differ in the name of the file.
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

/** The places, and those behind each `**`, which may stand for nothing. */
function reach(parts: readonly NameTest[], places: readonly number[]): readonly number[] {
  const all = new Set(places);
  for (const place of all) if (parts[place] === '**') all.add(place + 1);
  return [...all];
}

/** The globs without braces that a glob stands for; undefined where they are too many. */
function alternativesOf(glob: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const group = findBraces(one);
    if (!group) done.push(one);
    else open.push(...group);
    if (done.length + open.length > MOST_ALTERNATIVES) return undefined;
  }
  return done;
}

/** A glob with each alternative of its first braces; undefined where it has none with a comma in them. */
function findBraces(glob: string): readonly string[] | undefined {
  for (let start = glob.indexOf('{'); start >= 0; start = glob.indexOf('{', start + 1)) {
    let depth = 0;
    const cuts = [start];
    for (let at = start; at < glob.length; at++) {
      const char = glob[at];
      if (char === '{') depth++;
      else if (char === '}') depth--;
      if (depth === 0 || (depth === 1 && char === ',')) cuts.push(at);
      if (depth > 0) continue;
      if (cuts.length === 2) break;
      const [before, after] = [glob.slice(0, start), glob.slice(at + 1)];
      return cuts.slice(1).map((cut, index) => `${before}${glob.slice((cuts[index] as number) + 1, cut)}${after}`);
    }
  }
  return undefined;
}

/** Whether a path is in a folder whose files are never skills of the workspace. */
export const isIgnored: (path: string) => boolean = picomatch([...IGNORED], { dot: true });

/** Which files are served: those that the setting's globs match below the workspace folders, and catalogs. */
interface ServedFiles {
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
