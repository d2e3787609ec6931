/** Finds the client folders that contain a file. */

import { isCalled } from '../../vocabulary/client-paths.ts';
import { folderOf, isFlatSkill } from '../../vocabulary/dialect.ts';
import type { Client, ClientDir } from '../facts/client.ts';
import { clients } from '../facts/clients.ts';
import { pipelineOf } from '../pipeline/pipelines.ts';
import { foldersIn, type Subject } from './subject.ts';

export interface ClientPlacement {
  readonly dir: ClientDir;
  /** The index of `dir` in the client's order of folders. */
  readonly rank: number;
  /** The number of folders between the client's folder and the file. */
  readonly depth: number;
  /** The outermost folder between them whose name begins with a dot. */
  readonly hidden: string | undefined;
  /** The parent folders of the client's folder. */
  readonly base: readonly string[];
}

interface ProjectDir {
  readonly dir: ClientDir;
  readonly rank: number;
  readonly names: readonly string[];
}

/** The folders in a workspace that each client reads. */
const PROJECT_DIRS: ReadonlyMap<Client, readonly ProjectDir[]> = new Map(
  clients.map((client) => [client, findProjectDirs(client)]),
);

/** Returns the folders in a workspace that a client reads. Those of a framework are only known to the one who asks. */
const projectDirs = (client: Client): readonly ProjectDir[] => PROJECT_DIRS.get(client) ?? findProjectDirs(client);

function findProjectDirs({ dirs }: Client): readonly ProjectDir[] {
  return dirs.value.flatMap((dir, rank) =>
    dir.at === 'home' || dir.at === 'elsewhere' ? [] : [{ dir, rank, names: dir.path.split('/') }],
  );
}

/** Returns the paths of the workspace folders that a client or a framework reads. */
export const pathsOfClient = (client: Client): readonly string[] => projectDirs(client).map(({ dir }) => dir.path);

/** All folders that a client reads or owns, with the segments of their paths. */
const ALL_PATHS = [...new Set(clients.flatMap((client) => [...client.ownFolders, ...pathsOfClient(client)]))].map(
  (path) => ({ path, names: path.split('/') }),
);

/** All folders by the first segment of their path, which is never a pattern. */
const BY_FIRST_NAME: ReadonlyMap<string, typeof ALL_PATHS> = new Map(
  ALL_PATHS.map(({ names: [first = ''] }) => [first, ALL_PATHS.filter(({ names }) => names[0] === first)]),
);

/** Returns the folders of clients that contain the file. */
export function pathsOf({ folders }: Pick<Subject, 'folders'>): ReadonlySet<string> {
  const found = new Set<string>();
  folders.forEach((folder, from) => {
    for (const { path, names } of BY_FIRST_NAME.get(folder) ?? []) if (isAt(folders, from, names)) found.add(path);
  });
  return found;
}

/** The paths of all folders in a workspace that some client reads. */
const READ_PATHS = [...new Set(clients.flatMap(pathsOfClient))].map((path) => path.split('/'));

/**
 * Returns whether a path is in a folder that some client reads, or may lead to one, as far as its last names tell.
 *
 * @param names the names of the path, the outermost first
 * @param others further folders, those of frameworks
 */
export function leadsToSkills(names: readonly string[], others: readonly string[] = []): boolean {
  const paths = others.length === 0 ? READ_PATHS : [...READ_PATHS, ...others.map((path) => path.split('/'))];
  return names.some((_, from) =>
    paths.some((path) => path.every((name, at) => from + at >= names.length || isCalled(names[from + at] ?? '', name))),
  );
}

/** The folders in a user's home that each client reads. */
const homePaths: ReadonlyMap<Client, readonly (readonly string[])[]> = new Map(
  clients.map((client) => [
    client,
    client.dirs.value.flatMap(({ at, path }) => (at === 'home' && path.startsWith('.') ? [path.split('/')] : [])),
  ]),
);

/**
 * Returns the clients that read the folder of a file, such as `.claude/skills`: only the clients that own the folder, if
 * there are any. The result is empty in the folder of a client without data, such as `.trae/skills`, and undefined
 * for a file that is not in a client's folder.
 */
export function readersOf(subject: Pick<Subject, 'folders'>): readonly Client[] | undefined {
  const { folders } = subject;
  const paths = pathsOf(subject);
  const isHome = (client: Client) => homePaths.get(client)?.some((path) => endOf(folders, path));
  const isOfClients = (client: Client) => placeIn(client, subject)?.dir.path.startsWith('.') || isHome(client);
  const readers = clients.filter(isOfClients);
  const owners = readers.filter(({ ownFolders }) => ownFolders.some((path) => paths.has(path)));
  if (owners.length > 0) return owners;
  const isPlaced =
    readers.length > 0 || folders.some((name, at) => /^\.[\w-]/.test(name) && /^skills?$/.test(folders[at + 1] ?? ''));
  return isPlaced ? readers : undefined;
}

/**
 * Returns whether a client reads Markdown files directly in its folder of skills, and this is such a file, for example
 * `.pi/skills/tidy-notes.md`.
 */
function readsFlat({ folders }: Pick<Subject, 'folders'>, client: Client): boolean {
  const placed = placeIn(client, { folders });
  const find = placed?.depth === 0 ? pipelineOf(client.id)?.find : undefined;
  const own = find?.folders.find(({ path, at }) => path === placed?.dir.path && at !== 'home');
  return (own?.flat ?? find?.flat) === 'in-root';
}

/** Returns whether the clients of a folder of skills read a file that is directly in it and has another name than `SKILL.md`. */
export function isReadFlat(uri: string): boolean {
  if (!isFlatSkill(uri)) return false;
  const folders = foldersIn(uri);
  const readers = readersOf({ folders }) ?? [];
  return readers.length > 0 && readers.every((client) => readsFlat({ folders }, client));
}

/** Returns whether a file is directly in a hidden folder of a client, such as `.claude/skills/SKILL.md`. */
export const isInFolderItself = ({ folders }: Pick<Subject, 'folders'>): boolean =>
  ALL_PATHS.some(({ names }) => names[0]?.startsWith('.') && isAt(folders, folders.length - names.length, names));

/** A folder of skills below the folder of a project, and the clients that read it. */
export interface SharedFolder {
  readonly path: string;
  readonly clients: readonly Client[];
}

/**
 * Returns the smallest set of folders such that each client reads one of them, sorted by path; undefined for a client
 * that reads no folder of a project. Of several smallest sets, returns the one with the most common folders.
 */
export function foldersForClients(asked: readonly Client[]): readonly SharedFolder[] | { readonly without: Client } {
  const read = asked.map((client) => ({ client, paths: certainPaths(client) }));
  const without = read.find(({ paths }) => paths.length === 0);
  if (without) return { without: without.client };
  const common = (path: string): number => clients.filter((client) => certainPaths(client).includes(path)).length;
  const candidates = [...new Set(read.flatMap(({ paths }) => paths))].sort(
    (a, b) => common(b) - common(a) || (a < b ? -1 : 1),
  );
  const chosen =
    smallestCover(
      read.map(({ paths }) => paths),
      candidates,
    ) ?? [];
  // A client that reads several of the folders is listed at its own first one.
  const first = ({ paths }: (typeof read)[number]) => paths.find((path) => chosen.includes(path));
  return [...chosen].sort().map((path) => ({
    path,
    clients: read.filter((one) => first(one) === path).map(({ client }) => client),
  }));
}

/** Returns the paths that a client reads in every project, in its order. Only the first one of a group is certain. */
const certainPaths = (client: Client): readonly string[] =>
  projectDirs(client).flatMap(({ dir: { path, conditional, group } }, at, dirs) => {
    const isFirst = group === undefined || dirs.findIndex(({ dir }) => dir.group === group) === at;
    return conditional || !isFirst || path.includes('*') ? [] : [path];
  });

/** Returns the first of the smallest subsets of `candidates` that contains one of each set of paths. */
function smallestCover(
  sets: readonly (readonly string[])[],
  candidates: readonly string[],
): readonly string[] | undefined {
  const search = (left: typeof sets, size: number): readonly string[] | undefined => {
    const [next] = [...left].sort((a, b) => a.length - b.length);
    if (!next) return [];
    if (size === 0) return undefined;
    for (const path of candidates) {
      if (!next.includes(path)) continue;
      const rest = search(
        left.filter((set) => !set.includes(path)),
        size - 1,
      );
      if (rest) return [path, ...rest];
    }
    return undefined;
  };
  for (let size = 1; size <= sets.length; size++) {
    const found = search(sets, size);
    if (found) return found;
  }
  return sets.length === 0 ? [] : undefined;
}

/** Returns the innermost folder of the client that contains the file; otherwise undefined. */
export function placeIn(client: Client, { folders }: Pick<Subject, 'folders'>): ClientPlacement | undefined {
  let best: ClientPlacement | undefined;
  for (const { dir, rank, names } of projectDirs(client)) {
    const end = endOf(folders, names);
    if (end === undefined || belongsToOtherClient(folders[end.from - 1], dir)) continue;
    const depth = folders.length - end.at;
    // If `skills` and `.agents/skills` both match, use the longer one.
    const isNearer = !best || depth < best.depth || (depth === best.depth && dir.path.length > best.dir.path.length);
    if (isNearer) best = { dir, rank, depth, hidden: hiddenIn(folders, end.at), base: folders.slice(0, end.from) };
  }
  return best;
}

/**
 * Returns the path of the folder in which a client must be started to find a skill; undefined if that is a workspace
 * folder or one above it, or if the skill is in no folder of the client.
 *
 * @param roots the paths of the workspace folders
 */
export function startIn(placed: ClientPlacement | undefined, roots: readonly string[]): string | undefined {
  const base = ['', ...(placed?.base ?? [])].join('/');
  return placed && roots.some((root) => base.startsWith(`${root}/`)) ? base : undefined;
}

/** Returns whether a client that is started in a folder below the workspace folder reads the folder of a skill. */
export const isReadFrom = (start: string, placed: ClientPlacement | undefined): boolean => {
  const base = ['', ...(placed?.base ?? [])].join('/');
  return !placed || base === start || (placed.dir.at === 'upward' && start.startsWith(base === '' ? '' : `${base}/`));
};

/** A folder of skills that clients read, such as `.claude/skills`. */
export interface SkillsFolder {
  readonly uri: string;
  /** The path below the folder of the project. */
  readonly path: string;
  /** The URI of the folder of the project. */
  readonly base: string;
}

/**
 * Returns the innermost folder of skills that contains a file; undefined if no client reads the folder of the file
 * without a setting.
 *
 * @param targets the target clients, whose folders count, too: those of frameworks are known only from them
 */
export function skillsFolderOf(
  subject: Pick<Subject, 'uri' | 'folders'>,
  targets: readonly Client[] = [],
): SkillsFolder | undefined {
  const { folders } = subject;
  let best: ClientPlacement | undefined;
  for (const client of [...clients, ...targets.filter(({ framework }) => framework)]) {
    const placed = placeIn(client, subject);
    if (placed && !placed.dir.conditional && (!best || placed.depth < best.depth)) best = placed;
  }
  if (!best) return undefined;
  const uri = folderAbove(subject.uri, best.depth + 1);
  const names = folders.slice(best.base.length, folders.length - best.depth);
  return { uri, path: names.join('/'), base: folderAbove(uri, names.length) };
}

/** Returns the URI that is some levels above another URI. */
function folderAbove(uri: string, levels: number): string {
  let above = uri;
  for (let level = 0; level < levels; level++) above = folderOf(above);
  return above;
}

/** Returns true if the folder, such as `skills`, is in a folder such as `.claude` and so belongs to another client. */
const belongsToOtherClient = (parent: string | undefined, { path }: ClientDir): boolean =>
  parent?.startsWith('.') === true && !path.startsWith('.');

const hiddenIn = (folders: readonly string[], from: number): string | undefined =>
  folders.find((name, at) => at >= from && name.startsWith('.'));

/** Finds the last sequence of folders whose names match `path`. */
function endOf(folders: readonly string[], path: readonly string[]) {
  const [first = ''] = path;
  // The first name is never a pattern.
  for (let last = folders.length - path.length; last >= 0; ) {
    const from = folders.lastIndexOf(first, last);
    if (from < 0) return undefined;
    if (isAt(folders, from, path)) return { from, at: from + path.length };
    last = from - 1;
  }
  return undefined;
}

const isAt = (folders: readonly string[], from: number, path: readonly string[]): boolean =>
  path.every((name, at) => isCalled(folders[from + at] ?? '', name));
