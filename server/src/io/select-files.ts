/** Selects the files of a run: the named files, and the files on which their findings depend. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import picomatch from 'picomatch';
import { DEFAULT_FILES } from '../protocol/files.ts';
import {
  agentFileOf,
  CATALOG_NAME,
  clientFileOf,
  dialectOf,
  isOfClient,
  isPluginManifest,
} from '../vocabulary/dialect.ts';
import { BASELINE_NAME } from '../workspace/baseline.ts';
import { SNAPSHOT_NAME } from '../workspace/tool-snapshot.ts';
import { type ExcludedPath, type Exclusions, excludedInWords } from './exclusions.ts';
import { type FoundFiles, findFiles, type SearchOptions, type UnreadableFolder } from './find-files.ts';
import { allGlobs, servedTest } from './globs.ts';
import { nodeExclusions } from './node-exclusions.ts';
import { absolute, isWithin, toUri } from './paths.ts';
import { isThere } from './read-file.ts';
import { reasonOf, UserError } from './user-error.ts';

export interface Selection {
  /** The absolute paths of the files for which findings are reported. */
  readonly named: ReadonlySet<string>;
  /**
   * The absolute paths of all files to read: named files, files below the working folder, and catalogs above the
   * folder.
   */
  readonly read: readonly string[];
  /** The absolute paths that may be links: named paths, the folders of named files, and links below named folders. */
  readonly links: readonly string[];
  /** All links, and all folders `node_modules`, below the working folder and named folders. */
  readonly besides: readonly string[];
  /** The absolute paths of the folders in which targets of links are read: the folders of `paths`, then the others. */
  readonly roots: readonly string[];
  /** The folders of the run that cannot be read. */
  readonly unreadable: readonly UnreadableFolder[];
  /** The folders and files of the run that were left out, sorted by path. */
  readonly excluded: readonly ExcludedPath[];
}

/**
 * Finds the files of `paths` (files, folders or globs; if empty, the working folder), and the files they depend on. The
 * files below the working folder are among them if any path is (docs/command-line.md).
 */
export async function selectFiles(
  cwd: string,
  paths: readonly string[],
  {
    mayBeEmpty = false,
    entriesOf,
  }: { readonly mayBeEmpty?: boolean | undefined } & Pick<SearchOptions, 'entriesOf'> = {},
): Promise<Selection> {
  let below: Promise<FoundFiles> | undefined;
  const exclusions = nodeExclusions(cwd);
  const findIn = (folder: string, inside: Exclusions) => findBelow(folder, inside, entriesOf);
  const findInFolder = () => (below ??= findIn(cwd, exclusions));
  const named = new Set<string>();
  const read = new Set<string>();
  const roots = new Set<string>();
  const links = new Set<string>();
  const besides = new Set<string>();
  const unreadable = new Map<string, UnreadableFolder>();
  const excluded = new Map<string, ExcludedPath>();
  for (const path of paths.length > 0 ? paths : ['.']) {
    const {
      found,
      root,
      links: ofPath,
      modules = [],
      unreadable: lost = [],
      excluded: left = [],
    } = await findNamed(cwd, path, exclusions, (folder, inside) =>
      folder === cwd ? findInFolder() : findIn(folder, inside),
    );
    for (const one of left) excluded.set(one.path, one);
    for (const one of lost) unreadable.set(one.folder, one);
    const [first] = lost;
    if (first && (found.length === 0 || first.folder === root))
      throw new UserError(`The folder ${quoted(first.folder)} cannot be read: ${reasonOf(first.error)}.`);
    for (const link of ofPath ?? []) links.add(link);
    for (const one of [...(ofPath ?? []), ...modules]) besides.add(one);
    for (const file of found) read.add(file);
    const checkable = found.filter(isCheckable);
    const hasSkills = checkable.some((file) => root === undefined || isCertain(toUri(file)));
    if (!hasSkills && !mayBeEmpty)
      throw new UserError(
        `${quoted(path)} contains no skills. ${left.length > 0 ? `${excludedInWords(left)}. ` : ''}${WHAT_TO_NAME}`,
      );
    if (checkable.length === 0) roots.add(cwd);
    for (const file of checkable) {
      named.add(file);
      roots.add(root ?? dirname(file));
    }
  }
  if (named.size === 0 || [...named].some((file) => isWithin(cwd, file))) {
    const { paths, links: below, modules } = await findInFolder();
    for (const file of paths) read.add(file);
    for (const one of [...below, ...modules]) besides.add(one);
    roots.add(cwd);
  }
  const catalogs = await findUpward(roots, CATALOG_NAME);
  for (const catalog of catalogs) {
    read.add(catalog);
    read.add(join(dirname(catalog), SNAPSHOT_NAME));
  }
  for (const baseline of await findUpward(roots, BASELINE_NAME)) read.add(baseline);
  return {
    named,
    read: [...read],
    links: [...links],
    besides: [...besides],
    roots: [...new Set([...roots, ...catalogs.map(dirname)])],
    unreadable: [...unreadable.values()],
    excluded: [...excluded.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

const WHAT_TO_NAME = 'Name a skill file, a folder that contains skills, or a glob in quotes.';

const quoted = (path: string): string => `\`${path}\``;

interface Named {
  readonly found: readonly string[];
  /** The folder, if a folder was named. */
  readonly root?: string;
  readonly links?: readonly string[];
  readonly modules?: readonly string[];
  readonly unreadable?: readonly UnreadableFolder[];
  readonly excluded?: readonly ExcludedPath[];
}

async function findNamed(
  cwd: string,
  path: string,
  exclusions: Exclusions,
  findIn: (folder: string, exclusions: Exclusions) => Promise<FoundFiles>,
): Promise<Named> {
  const full = absolute(cwd, path);
  const stats = await stat(full).catch((error: NodeJS.ErrnoException) => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(error.code ?? '')) return undefined;
    throw new UserError(`${quoted(path)} cannot be read: ${reasonOf(error)}.`);
  });
  if (!stats) {
    // The path is a link to a missing file, or part of a cycle of links.
    if (isCheckable(full) && (await isThere(full))) return { found: [full] };
    const { paths, unreadable, excluded } = await findByGlob(cwd, path, exclusions);
    if (paths.length === 0 && unreadable.length === 0)
      throw new UserError(
        `${quoted(path)} matches no files. ${excluded.length > 0 ? `${excludedInWords(excluded)}. ` : ''}${WHAT_TO_NAME}`,
      );
    return { found: await Promise.all(paths.map((file) => withoutLinks(cwd, file))), unreadable, excluded };
  }
  const real = await withoutLinks(cwd, full);
  if (stats.isDirectory()) {
    // The folders of clients in a folder that is named are read like those at the root of a workspace.
    const isPackages = (await exclusions.folder(toUri(real))) === 'packages';
    const inside = isPackages ? exclusions : nodeExclusions(real);
    const { paths, links, ...rest } = await findIn(real, inside);
    return { found: paths, root: real, links: real === full ? links : [full, ...links], ...rest };
  }
  // A link may have the name of a skill even if its target does not.
  const file = [real, full].find(isCheckable);
  if (file) return { found: [file], links: [dirname(full), full] };
  throw new UserError(`${quoted(path)} does not have the name of a skill file. ${WHAT_TO_NAME}`);
}

/** Resolves symbolic links if the result is below the working folder, so that no file is read under two names. */
export async function withoutLinks(cwd: string, path: string): Promise<string> {
  const [realCwd, real] = await Promise.all([realpath(cwd), realpath(path)]);
  return isWithin(realCwd, real) ? join(cwd, relative(realCwd, real)) : path;
}

/** Returns, for each folder, the path of the nearest file with this name in the folder or above it. */
export async function findUpward(folders: ReadonlySet<string>, name: string): Promise<readonly string[]> {
  const seen = new Set<string>();
  const found: string[] = [];
  for (const start of folders) {
    for (let folder = start; !seen.has(folder); folder = dirname(folder)) {
      seen.add(folder);
      const path = join(folder, name);
      if (await isThere(path)) {
        found.push(path);
        break;
      }
    }
  }
  return found;
}

/** The part of the files that `--shard I/N` selects, so that several machines can share a run. */
export interface Shard {
  /** The index of the part, counted from 0. */
  readonly index: number;
  readonly count: number;
}

/**
 * Parses the value of `--shard`. Without a value, returns a shard that contains all files. Throws a `UserError` for an
 * invalid value.
 */
export function parseShard(word: string | undefined): Shard {
  if (word === undefined) return { index: 0, count: 1 };
  const [, part, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(word) ?? [];
  const shard = { index: Number(part) - 1, count: Number(count) };
  if (shard.index >= 0 && shard.index < shard.count) return shard;
  throw new UserError(`\`--shard ${word}\` is not a valid shard. Write for example \`--shard 1/4\`.`);
}

/** Returns the files in a shard: every `count`-th file, so that all shards together contain each file once. */
export const partOf = <File>(files: readonly File[], { index, count }: Shard): readonly File[] =>
  files.filter((_, at) => at % count === index);

// Finds skill files, catalogs and tool snapshots.

const SERVED = { folders: [], globs: DEFAULT_FILES };

/** Returns all skill files, catalogs and snapshots below a folder, which the user or a setting names. */
export function findBelow(
  folder: string,
  exclusions = nodeExclusions(folder),
  entriesOf?: SearchOptions['entriesOf'],
): Promise<FoundFiles> {
  const globs = allGlobs(SERVED);
  // A plain `.md` file in a folder named `skills` is a skill, but paths relative to this folder do not contain its
  // name.
  return findFiles(folder, basename(folder) === 'skills' ? [...globs, '*.md'] : globs, {
    exclusions,
    isNamed: true,
    entriesOf,
  });
}

/** Returns the files that match a glob, and all files below the folders that match it. */
async function findByGlob(cwd: string, pattern: string, exclusions: Exclusions): Promise<FoundFiles> {
  const { base, glob } = picomatch.scan(process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern);
  const folder = absolute(cwd, base);
  return glob === ''
    ? { paths: [], links: [], modules: [], unreadable: [], excluded: [], isCut: false }
    : findFiles(folder, [glob, `${glob}/**`], {
        exclusions: isWithin(cwd, folder) ? exclusions : nodeExclusions(folder),
        isNamed: true,
      });
}

const isServed = servedTest(SERVED);

/**
 * Returns whether a file shows that its folder is for agents. A `plugin.json` without a folder of a client, a folder
 * `agents` or a file with hooks may belong to any program.
 */
const isCertain = (uri: string): boolean =>
  !isOfClient(dialectOf(uri) ?? 'plugin') ||
  isPluginManifest(uri) ||
  clientFileOf(uri)?.root.endsWith('/.claude') === true ||
  agentFileOf(uri)?.folder !== undefined;

/** Returns whether findings can be reported for a path: a skill, a candidate for a skill, or a catalog. */
export const isCheckable = (path: string): boolean =>
  ![SNAPSHOT_NAME, BASELINE_NAME].includes(basename(path)) && isServed(toUri(path));
