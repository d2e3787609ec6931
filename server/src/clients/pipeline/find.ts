/** The step `find` of a client (docs/clients.md, "The steps of a client"): which files it finds, by their paths only. */
import { type ClientPlace, type FilePath, type PathLinks, splitPath } from './file.ts';
import type { PluginPlace } from './plugin-rules.ts';
import type { Stop } from './reading.ts';
import { type Ask, resultWith, type Setting } from './setting.ts';

export interface FindRules {
  /** The skills folders, in the order in which the client reads them. */
  readonly folders: readonly SkillsFolder[];
  readonly fileName: Setting<FileName>;
  /** True if a `SKILL.md` in the skills folder itself is a skill. */
  readonly root: Setting<boolean>;
  /** The largest number of folders between the skills folder and the file; null without a limit. */
  readonly depth: Setting<number | null>;
  /** True if the client enters folders whose name begins with a dot. */
  readonly hidden: Setting<boolean>;
  /** Other files `*.md` that are skills. */
  readonly flat: Setting<Flat>;
  readonly folderLinks: Setting<Follows>;
  readonly fileLinks: Setting<Follows>;
  /** True if the client searches the folder of a skill for more skills. */
  readonly belowSkill: Setting<boolean>;
  /** The names of folders that the client does not enter. */
  readonly leftOut: Setting<readonly string[]>;
  /** False if the client does not read a folder with two spaces in a row in its name; undefined is true. */
  readonly doubleSpaces?: Setting<boolean>;
  /** The largest size of a file in bytes; null or undefined without a limit. */
  readonly maxBytes?: Setting<number | null>;
}

/** A folder of skills. The settings in it replace those of the client. */
export interface SkillsFolder extends Partial<Pick<FindRules, 'root' | 'depth' | 'hidden' | 'flat'>> {
  /**
   * The word that some clients show to the model. `system`: the client's own skills, which are always there; `upload`:
   * skills that a user uploads; `plugin` and `extension`: skills of plugins.
   */
  readonly scope: 'project' | 'user' | 'system' | 'upload' | 'plugin' | 'extension';
  /** The path with `/`, relative to the folders that `at` names. A `*` at its end is the rest of a name. */
  readonly path: string;
  /**
   * `start`: the folder in which the client starts; `upward`: that folder and its parents in the repository, the nearest
   * first; `downward`: the same, the nearest last; `repository`: only the root of the repository; `below`: folders below
   * the start, after the client has read a file in them; `home`: the user's home; `anywhere`: every folder, because a
   * user uploads the folder of a skill.
   */
  readonly at: 'start' | 'upward' | 'downward' | 'repository' | 'below' | 'home' | 'anywhere';
  /** True if the client reads the folder only with a setting, or after an upload. */
  readonly conditional?: true;
}

/**
 * The accepted file names: `SKILL.md`, in any letter case, in small letters without a file in capitals, or each name that
 * ends with `SKILL.md`.
 */
export type FileName = 'exact' | 'any-case' | 'two-cases' | 'ending';
/** No file, those in the skills folder itself, or those in a folder below it without a `SKILL.md`. */
export type Flat = 'none' | 'in-root' | 'below-root';
/**
 * Links are followed, ignored, or followed if they lead into the skills folder (`inside`), or into the folder that `at` of
 * it names (`in-place`). Only `in-place` considers a link that is the skills folder itself, and `never`, which ignores that
 * link, too.
 */
export type Follows = 'yes' | 'no' | 'never' | 'inside' | 'in-place';

const FILE_NAMES: Readonly<Record<FileName, (name: string) => boolean>> = {
  exact: (name) => name === 'SKILL.md',
  'any-case': (name) => name.toLowerCase() === 'skill.md',
  'two-cases': (name) => name === 'SKILL.md' || name === 'skill.md',
  ending: (name) => name.endsWith('SKILL.md'),
};

/** A skills folder at one place. */
export interface Root {
  readonly folder: SkillsFolder;
  /** The absolute path; undefined if the folder may be at several places. */
  readonly path?: string;
  /** The folder above those places; undefined if they may be anywhere. */
  readonly below?: string;
  /** The index in the order in which the client reads its folders. */
  readonly rank: number;
}

/** A file that a client finds. */
export interface Found {
  readonly rank: number;
  readonly folder: SkillsFolder;
  /** The absolute path of the skills folder. */
  readonly root: string;
  /** The path of the file in the skills folder. */
  readonly rest: string;
  /** The plugin with which the client loads it. */
  readonly plugin?: PluginPlace;
}

/** Returns the skills folders of a client, in its order. */
export function rootsOf({ folders }: FindRules, { start, repository, home }: ClientPlace): readonly Root[] {
  const upward = parentsOf(start, repository);
  const in_ = (bases: readonly string[]) => (folder: SkillsFolder) =>
    bases.map((base) => ({ folder, path: `${base}/${folder.path}` }));
  const places: Readonly<Record<SkillsFolder['at'], (folder: SkillsFolder) => readonly Omit<Root, 'rank'>[]>> = {
    start: in_([start]),
    upward: in_(upward),
    downward: in_([...upward].reverse()),
    repository: in_([repository]),
    below: (folder) => [{ folder, below: start }],
    home: in_(home === undefined ? [] : [home]),
    anywhere: (folder) => [{ folder }],
  };
  return folders.flatMap((folder) => places[folder.at](folder)).map((root, rank) => ({ ...root, rank }));
}

/** Returns a folder and its parents up to the last one. */
function parentsOf(folder: string, last: string): readonly string[] {
  const parents = [folder];
  for (let one = folder; one !== last && one.startsWith(`${last}/`); parents.push(one)) one = splitPath(one).folder;
  return parents;
}

/** Returns whether a client accepts a name of a file. */
export const isFileName = ({ fileName }: FindRules, name: string, ask: Ask): boolean =>
  resultWith(ask, 'find.fileName', fileName, (names) => FILE_NAMES[names](name));

/**
 * Returns the names of the files in a folder above a file that some client accepts as `SKILL.md`; for a path that ends
 * with `/*`, those of all files below that folder.
 */
export type SkillsIn = (folder: string, file: FilePath) => readonly string[];

/** Returns a function that finds the skills among the files. */
export function skillsAmong(files: readonly FilePath[]): SkillsIn {
  const names = new Map<string, string[]>();
  for (const { path } of files) {
    const { folder, name } = splitPath(path);
    if (!FILE_NAMES['any-case'](name) && !FILE_NAMES.ending(name)) continue;
    const known = names.get(folder);
    if (known) known.push(name);
    else names.set(folder, [name]);
  }
  return (folder) => {
    if (!folder.endsWith('/*')) return names.get(folder) ?? [];
    const below = folder.slice(0, -1);
    return [...names].flatMap(([one, own]) => (`${one}/`.startsWith(below) ? own : []));
  };
}

/**
 * Returns the place where a client finds a file, or the reason why it does not. Asks for a setting only if the path
 * makes it matter.
 *
 * @param found the file's place in a skills folder of the client (`placeIn`); undefined if it is in none
 * @param skillsIn finds the other skills, because some clients find no skill below another one
 */
export function findFile(
  rules: FindRules,
  file: FilePath,
  found: Found | undefined,
  skillsIn: SkillsIn,
  ask: Ask,
): Found | Stop {
  if (!found) return { code: 'find/folder' };
  const { path, link, bytes = 0 } = file;
  const { folder, root, rest } = found;
  const names = rest.split('/');
  const fileName = names.pop() ?? '';
  const isSkill = (one: string): boolean => isFileName(rules, one, ask);
  const isSecond = (one: FileName): boolean =>
    one === 'two-cases' && fileName !== 'SKILL.md' && skillsIn(splitPath(path).folder, file).includes('SKILL.md');
  const isSkillFolder = (one: string): boolean => skillsIn(one, file).some(isSkill);
  const isRead = (key: 'root' | 'hidden'): boolean => askIn(ask, folder, key, rules[key], folder[key]);
  const [depthSetting, depths] =
    folder.depth === undefined ? ['find.depth', rules.depth] : [settingIn(folder, 'depth'), folder.depth];

  if (!isSkill(fileName)) {
    const flat = fileName.endsWith('.md') ? askIn(ask, folder, 'flat', rules.flat, folder.flat) : 'none';
    const isFlat =
      names.length === 0 ? flat === 'in-root' : flat === 'below-root' && !isSkillFolder(splitPath(path).folder);
    if (!isFlat) return { code: 'find/file-name' };
  } else if (resultWith(ask, 'find.fileName', rules.fileName, isSecond)) return { code: 'find/file-name' };
  else if (names.length === 0 && !isRead('root')) return { code: 'find/depth' };
  const isTooDeep = (depth: number | null): boolean => depth !== null && names.length > depth;
  if (names.length > 0 && resultWith(ask, depthSetting, depths, isTooDeep)) return { code: 'find/depth' };
  if (names.some((name) => name.startsWith('.')) && !isRead('hidden')) return { code: 'find/hidden' };
  const isLeftOut = (leftOut: readonly string[]): boolean => names.some((name) => leftOut.includes(name));
  if (resultWith(ask, 'find.leftOut', rules.leftOut, isLeftOut)) return { code: 'find/left-out' };
  const hasSpaces = names.some((name) => name.includes('  '));
  if (hasSpaces && !ask('find.doubleSpaces', rules.doubleSpaces ?? true)) return { code: 'find/left-out' };
  const above = names.map((_, at) => [root, ...names.slice(0, at)].join('/'));
  const isBelow = above.some((one, at) => isSkillFolder(one) && (at > 0 || isRead('root')));
  if (isBelow && !ask('find.belowSkill', rules.belowSkill)) return { code: 'find/below-skill' };
  const isFollowed = (key: 'folderLinks' | 'fileLinks', by: PathLinks): boolean =>
    resultWith(ask, `find.${key}`, rules[key], (rule) => follows(by, found, rule));
  if (link?.folder && !isFollowed('folderLinks', link)) return { code: 'find/link' };
  if (link?.file && !isFollowed('fileLinks', link)) return { code: 'find/link' };
  const isTooLarge = (max: number | null): boolean => max !== null && bytes > max;
  if (resultWith(ask, 'find.maxBytes', rules.maxBytes ?? null, isTooLarge)) return { code: 'find/too-large' };
  const isOn = !folder.conditional || ask(settingIn(folder, 'conditional'), BY_SETTING) === 'yes';
  return isOn ? found : { code: 'find/setting' };
}

const BY_SETTING = { oneOf: ['yes', 'no'], because: 'setting' } as const;

const settingIn = ({ path }: SkillsFolder, key: string): string => `find.folders.${path}.${key}`;

/** Returns a setting that a folder may replace. */
function askIn<Value>(
  ask: Ask,
  folder: SkillsFolder,
  key: 'root' | 'hidden' | 'flat',
  usual: Setting<Value>,
  own: Setting<Value> | undefined,
): Value {
  return own === undefined ? ask(`find.${key}`, usual) : ask(settingIn(folder, key), own);
}

/** Returns the place of a path in the first folder of a client that contains it. */
export function placeIn(path: string, roots: readonly Root[]): Found | undefined {
  for (const one of roots) {
    const { folder, rank } = one;
    const root = rootIn(path, one);
    if (root !== undefined && path.startsWith(root) && path[root.length] === '/')
      return { rank, folder, root, rest: path.slice(root.length + 1) };
  }
  return undefined;
}

/** Returns the path of a skills folder if it may contain a file. */
function rootIn(path: string, { folder, path: known, below }: Root): string | undefined {
  if (folder.at === 'anywhere') return splitPath(splitPath(path).folder).folder;
  if (known === undefined) return path.startsWith(`${below}/`) ? above(path, folder.path) : undefined;
  if (!known.endsWith('*')) return known;
  const start = known.length - 1;
  const end = path.startsWith(known.slice(0, -1)) ? path.indexOf('/', start) : -1;
  return end > start ? path.slice(0, end) : undefined;
}

/** Returns the path up to a folder somewhere in it. */
function above(path: string, folder: string): string | undefined {
  const at = path.lastIndexOf(`/${folder}/`);
  return at < 0 ? undefined : path.slice(0, at + folder.length + 1);
}

function follows({ target, first }: PathLinks, { folder, root }: Found, rule: Follows): boolean {
  if (rule === 'never') return false;
  if (rule === 'yes' || (rule !== 'in-place' && first === root)) return true;
  if (rule === 'no') return false;
  const inside = rule === 'inside' ? root : root.slice(0, -folder.path.length - 1);
  return target?.startsWith(`${inside}/`) ?? false;
}
