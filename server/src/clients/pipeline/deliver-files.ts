/** The list of the files in a skill's folder that some clients add to the text of a called skill. */
import { type ClientPlace, splitPath } from './file.ts';
import { type Ask, resultWith, type Setting } from './setting.ts';

export interface FileList {
  /** Each file with `{path}`, its path, `{start}`, its path from the folder of the client, and `{rest}`, from the skill. */
  readonly each: string;
  readonly by: string;
  /** `tree`: the folder as a tree with lines; `each` and `by` have no effect. */
  readonly form: 'list' | 'tree';
  /** The line above the files. */
  readonly title?: string;
  /**
   * The largest number of files and folders directly in a folder below the skill whose files are listed. A larger folder
   * has one line, above the files: `each` with `{rest}`, its path from the skill, and `{count}`. `title` is above them.
   */
  readonly dense?: { readonly most: number; readonly title: string; readonly each: string };
  /** The text for the placeholder `{more}` if the list leaves out files or folders. */
  readonly more?: string;
  /** True if hidden files and files of hidden folders are in it. */
  readonly hidden: Setting<boolean>;
  /** True if the `SKILL.md` is in it. */
  readonly skill: boolean;
  /** Folders whose files are not in it. */
  readonly leftOut: Setting<readonly string[]>;
  /** The folders directly below the skill whose files are in it; null for all. */
  readonly folders: Setting<readonly string[] | null>;
  /** The largest number of files, or of files and folders of a tree; null without a limit. */
  readonly most: Setting<number | null>;
  readonly order: Setting<FileOrder>;
}

/** By path, by the rules of the locale, or in an order that differs between runs. */
export type FileOrder = 'path' | 'locale' | 'any';

/** The list of the files in a folder. */
export interface ListedFiles {
  readonly text: string;
  readonly more: string;
  /** The line of each file that may be in the list, also of those for which the list has no room. */
  readonly lines: readonly string[];
  /** The number of lines in `text`. */
  readonly shown: number;
  /** False if the client may name other files, or the same ones in another order. */
  readonly isExact: boolean;
}

/**
 * Returns the list of a client.
 *
 * @param files relative to the folder of the skill
 * @param path the path of the `SKILL.md`
 */
export function listOfFiles(
  rules: FileList,
  of: string,
  files: readonly string[],
  path: string,
  place: ClientPlace,
  ask: Ask,
): ListedFiles {
  const { folder, name } = splitPath(path);
  const own = [...files, ...(rules.skill ? [name] : [])];
  const visible = resultWith(ask, `${of}.files.hidden`, rules.hidden, (set) =>
    set ? own : own.filter((one) => !/(?:^|\/)\./.test(one)),
  );
  const kept = resultWith(ask, `${of}.files.leftOut`, rules.leftOut, (names) => withoutFolders(visible, names, rules));
  const inFolders = resultWith(ask, `${of}.files.folders`, rules.folders, (names) =>
    kept.filter((one) => names === null || names.includes(one.split('/')[0] ?? '')),
  );
  const most = resultWith(ask, `${of}.files.most`, rules.most, (set) => Math.min(set ?? Infinity, MOST));
  const more = (isLeftOut: boolean): string => (isLeftOut ? (rules.more ?? '') : '');
  if (rules.form === 'tree') {
    const { lines, isCut } = treeOf(inFolders, most);
    const text = [`${folder}/`, ...lines].join('\n');
    const isLeftOut = isCut || lines.some((line) => line.endsWith('/...'));
    return { text, more: more(isLeftOut), lines, shown: lines.length, isExact: !isCut };
  }
  const dense = denseFolders(inFolders, rules);
  const listed = inFolders.filter((one) => ![...dense.keys()].some((folder) => one.startsWith(`${folder}/`)));
  const order = listed.length < 2 ? 'path' : ask(`${of}.files.order`, rules.order);
  const lines = [...listed].sort(order === 'locale' ? byLocale : undefined).map((rest) => {
    const whole = `${folder}/${rest}`;
    const start = whole.startsWith(`${place.start}/`) ? whole.slice(place.start.length + 1) : whole;
    return withWords(rules.each, { path: whole, start, rest });
  });
  const shown = lines.slice(0, most);
  const isExact = order !== 'any';
  const above = [...dense].map(([rest, count]) => withWords(rules.dense?.each ?? '', { rest, count: `${count}` }));
  const text = [
    ...(above.length > 0 ? [rules.dense?.title ?? '', ...above] : []),
    ...(shown.length > 0 && rules.title !== undefined ? [rules.title] : []),
    ...(shown.length > 0 ? [shown.join(rules.by)] : []),
  ].join('\n');
  return { text, more: more(shown.length < lines.length), lines, shown: shown.length, isExact };
}

/** Returns the folders that have too many files and folders to be listed, the outermost ones, by path, with that number. */
function denseFolders(files: readonly string[], { dense }: FileList): ReadonlyMap<string, number> {
  if (!dense) return new Map();
  const entries = new Map<string, Set<string>>();
  for (const file of files) {
    const parts = file.split('/');
    for (let at = 1; at < parts.length; at += 1) {
      const folder = parts.slice(0, at).join('/');
      entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[at] ?? ''));
    }
  }
  const found = [...entries].flatMap(([folder, { size }]) => (size > dense.most ? [[folder, size] as const] : []));
  const isInner = (one: string): boolean => found.some(([folder]) => one.startsWith(`${folder}/`));
  return new Map(found.filter(([folder]) => !isInner(folder)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const withWords = (template: string, words: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, key: string) => words[key] ?? whole);

/** The largest number of files that are named. */
const MOST = 1000;

/** Returns the files that are not in some folders. A tree names such a folder, without its files. */
function withoutFolders(files: readonly string[], names: readonly string[], { form }: FileList): readonly string[] {
  const kept = files.map((file) => {
    const parts = file.split('/');
    const at = parts.slice(0, -1).findIndex((part) => names.includes(part));
    if (at < 0) return file;
    return form === 'tree' ? `${parts.slice(0, at + 1).join('/')}/...` : undefined;
  });
  return [...new Set(kept)].filter((file) => file !== undefined);
}

/**
 * Returns the lines of a tree: the files of a folder, then its folders, each by the rules of the locale.
 *
 * @param most the largest number of files and folders
 */
function treeOf(
  files: readonly string[],
  most: number,
): { readonly lines: readonly string[]; readonly isCut: boolean } {
  let left = most;
  let isCut = false;
  const isItem = (): boolean => {
    isCut ||= left === 0;
    return !isCut && left-- > 0;
  };
  const linesOf = (paths: readonly string[], indent: string): readonly string[] => {
    const own = paths.filter((path) => !path.includes('/')).sort(byLocale);
    const folders = [
      ...new Set(paths.flatMap((path) => (path.includes('/') ? [`${path.slice(0, path.indexOf('/'))}/`] : []))),
    ];
    const items = [...own, ...folders.sort(byLocale)].filter(isItem);
    return items.flatMap((item, at) => {
      const isLast = at === items.length - 1;
      const below = item.endsWith('/')
        ? paths.flatMap((path) => (path.startsWith(item) ? [path.slice(item.length)] : []))
        : [];
      const isClosed = below.includes('...');
      const line = `${indent}${isLast ? '└───' : '├───'}${item}${isClosed ? '...' : ''}`;
      return [line, ...(isClosed ? [] : linesOf(below, `${indent}${isLast ? '    ' : '│   '}`))];
    });
  };
  return { lines: linesOf(files, ''), isCut };
}

const byLocale = (a: string, b: string): number => a.localeCompare(b);
