/** The folders of the skills, as far as they tell skills apart: each has two skills at least, in it or in several below. */
import type { GraphReply, ShownNode } from '../messages.ts';

/** Stands for the workspace: all folders. */
export const WORKSPACE = '';
/** So many cards can be looked through. */
export const MOST_CARDS = 60;

export interface Folders {
  /** Without the workspace; sorted. */
  readonly all: readonly string[];
  /** The nearest folder of a node; that of a name that no skill has is that of its first composer. */
  readonly of: (id: string) => string;
  readonly has: (folder: string, id: string) => boolean;
  /** Of the folders beside `folder` or in it, that of a node; undefined for a node that is in none of them. */
  readonly towards: (folder: string, id: string) => string | undefined;
  /** A folder as the author knows it: from the workspace on. */
  readonly nameOf: (folder: string) => string;
}

export function foldersOf({ nodes, edges }: GraphReply): Folders {
  const directories = new Map(nodes.flatMap((node) => (node.kind === 'skill' ? [[node.id, parentOf(node.uri)]] : [])));
  const root = commonOf([...directories.values()]);
  for (const { from, to } of edges) {
    const directory = directories.get(from);
    if (directory !== undefined && !directories.has(to)) directories.set(to, directory);
  }
  const skills = new Map<string, number>();
  for (const { id, kind } of nodes) {
    if (kind === 'unknown') continue;
    for (const path of pathTo(directories.get(id) ?? root, root)) skills.set(path, (skills.get(path) ?? 0) + 1);
  }
  // A folder with as many skills as the one folder in it is only on the way there.
  const passed = new Set(
    [...skills].flatMap(([path, count]) => (skills.get(parentOf(path)) === count ? parentOf(path) : [])),
  );
  const all = [...skills].flatMap(([path, count]) => (count > 1 && !passed.has(path) ? path : [])).sort();
  const known = new Set(all);
  const paths = new Map([...directories].map(([id, directory]) => [id, pathTo(directory, root)]));
  const pathOf = (id: string): readonly string[] => paths.get(id) ?? [];
  return {
    all,
    of: (id) => pathOf(id).find((path) => known.has(path)) ?? WORKSPACE,
    has: (folder, id) => folder === WORKSPACE || pathOf(id).includes(folder),
    towards: (folder, id) => {
      const own = new Set(pathTo(folder, root));
      return pathOf(id).findLast((path) => known.has(path) && !own.has(path));
    },
    nameOf: (folder) => decoded(folder.slice(root.length).replace(/^\//, '')),
  };
}

/** The folder that a graph opens with: that of the active skill, else the largest that shows no mistake. */
export function openingFolder({ nodes }: GraphReply, folders: Folders, active: string | undefined): string {
  if (nodes.some(({ id }) => id === active)) return folders.of(active ?? '');
  let [opening, most] = [WORKSPACE, 0];
  for (const folder of [WORKSPACE, ...folders.all]) {
    const inside = nodes.filter(({ id }) => folders.has(folder, id));
    if (inside.length <= most || inside.length > MOST_CARDS || inside.some(isWrong)) continue;
    [opening, most] = [folder, inside.length];
  }
  return opening;
}

const isWrong = (node: ShownNode): boolean => node.kind === 'unknown' || node.findings.errors > 0;

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** A directory and those above it, below the root. */
function pathTo(directory: string, root: string): readonly string[] {
  const path: string[] = [];
  for (let at = directory; at.length > root.length; at = parentOf(at)) path.push(at);
  return path;
}

function commonOf([first = '', ...others]: readonly string[]): string {
  let common = first;
  for (const other of others) while (!`${other}/`.startsWith(`${common}/`) && common !== '') common = parentOf(common);
  return common;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
