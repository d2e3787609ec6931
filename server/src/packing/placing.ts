/** Determines the paths of skill files in an archive and in a workspace (docs/installing.md, "Where skills go"). */
import { isAgentSkillName } from '../vocabulary/dialect.ts';
import { collisionIn, pathProblem } from './archive-path.ts';
import { isInFolder, nameOf, parentOf } from './unit.ts';

/**
 * The folders into which skills are installed, relative to the workspace. An empty string is the root of the workspace.
 */
export interface Bases {
  readonly skills: string;
  /** The folder that contains the folders with `SKILL.md` files. */
  readonly agentSkills: string;
}

/** The default folders. */
export const USUAL: Bases = { skills: 'skills', agentSkills: '.agents/skills' };

export type PlacedFiles = { readonly places: ReadonlyMap<string, string> } | { readonly problem: string };

/**
 * Returns the path at which each file is installed. The folder of a `SKILL.md` file keeps only the last segment of
 * its path; other files keep their relative positions. `rootName` is the name for the root folder of the source. A
 * returned problem is a clause.
 */
export function placeFiles(paths: readonly string[], bases: Bases, rootName: string): PlacedFiles {
  const folders = outermost(paths.filter((path) => isAgentSkillName(nameOf(path))).map(parentOf));
  const folderOf = (path: string) => folders.find((folder) => isInFolder(folder, path));
  const others = paths.filter((path) => folderOf(path) === undefined);
  const common = commonFolder(others.map(parentOf));
  const places = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const path of paths) {
    const folder = folderOf(path);
    if (folder === undefined) {
      places.set(path, joined(bases.skills, withoutDouble(bases, below(common, path))));
      continue;
    }
    const name = folder === '' ? rootName : nameOf(folder);
    const owner = owners.get(name) ?? folder;
    if (owner !== folder)
      return { problem: `two folders with a \`SKILL.md\` have the name \`${name}\`: \`${owner}\` and \`${folder}\`` };
    owners.set(name, folder);
    places.set(path, joined(bases.agentSkills, joined(name, below(folder, path))));
  }
  for (const place of places.values()) {
    const problem = pathProblem(place);
    if (problem !== undefined) return { problem: `\`${place}\` ${problem}` };
  }
  const collision = collisionIn(places.values());
  return collision ? { problem: `\`${collision.path}\` ${collision.problem}` } : { places };
}

/** Removes a second `skills/` from a path, because the source workspace may have its skills in `skills` too. */
const withoutDouble = ({ skills }: Bases, path: string): string =>
  skills === USUAL.skills && path.startsWith(`${skills}/`) ? path.slice(skills.length + 1) : path;

const joined = (folder: string, path: string): string => (folder === '' ? path : `${folder}/${path}`);

const below = (folder: string, path: string): string => (folder === '' ? path : path.slice(folder.length + 1));

const outermost = (folders: readonly string[]): readonly string[] =>
  [...new Set(folders)].filter((one) => !folders.some((other) => other !== one && isInFolder(other, one)));

function commonFolder([first, ...rest]: readonly string[]): string {
  let common = (first ?? '').split('/');
  for (const folder of rest) {
    const parts = folder.split('/');
    const differs = common.findIndex((part, at) => part !== parts[at]);
    if (differs >= 0) common = common.slice(0, differs);
  }
  return common.join('/');
}
