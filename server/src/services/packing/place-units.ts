/** Determines where a source's skills are placed in a workspace, and their keys in its lock file. */

import { isIgnored } from '../../io/globs.ts';
import { UserError } from '../../io/user-error.ts';
import { pathProblem } from '../../packing/archive-path.ts';
import type { Lock } from '../../packing/lock.ts';
import { type Bases, placeFiles, USUAL } from '../../packing/placing.ts';
import { lockKeys, type PlannedUnit } from '../../packing/plan.ts';
import { isName } from '../../skill/kebab-name.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import type { Collected } from './collect.ts';
import { type FolderAccess, isInsideFolder, uriAt } from './folder-access.ts';
import { unitFile } from './installed.ts';
import type { Source, SourceFile } from './source.ts';

export interface PlacedUnit extends PlannedUnit {
  readonly name: string;
  readonly sourceFiles: ReadonlyMap<string, SourceFile>;
}

function basesFor(folder: FolderAccess, to: string): Bases {
  const base = folder.relativePath(to);
  if (!isInsideFolder(base)) {
    const why = 'is outside the workspace';
    throw new UserError(
      `\`${to}\` ${why}. Select a folder in the workspace.`,
      `\`--to ${to}\` ${why}. Run the command in that workspace, or use \`--cwd\`.`,
    );
  }
  const problem = base === '' ? undefined : (pathProblem(base) ?? ignoredProblem(base));
  if (problem !== undefined) throw new UserError(`\`${to}\` ${problem}.`, `\`--to ${to}\` ${problem}.`);
  return { skills: base, agentSkills: base };
}

const ignoredProblem = (base: string): string | undefined =>
  isIgnored(`${base}/SKILL.md`) ? 'is a folder that is not searched for skills' : undefined;

/**
 * Returns the origin of a source for the lock file. The origin is relative to the workspace if possible, so that the
 * lock file is the same on every machine.
 */
export const originOf = (folder: FolderAccess, word: string): string => folder.relativePath(word) || '.';

/** Returns the units of a source with their new paths. `to` is the folder that the user named. Throws a `UserError`. */
export function placedUnits(
  folder: FolderAccess,
  source: Source,
  collected: Collected,
  to: string | undefined,
  lock: Lock,
  word: string,
): readonly PlacedUnit[] {
  const unitsAt = (bases: Bases) => unitsIn(folder, source, collected, bases, lock, word);
  return unitsAt(to === undefined ? lockedBases(unitsAt(USUAL)) : basesFor(folder, to));
}

/**
 * Returns a folder for each kind of skill: the folder in the lock file that contains all installed skills of this kind,
 * or else the usual folder.
 */
function lockedBases(units: readonly PlacedUnit[]): Bases {
  const baseOf = (usual: string): string => {
    const bases = units.flatMap(({ unit, before }) =>
      before && unit.path.startsWith(`${usual}/`) ? folderAbove(before.path, unit.path.slice(usual.length + 1)) : [],
    );
    const [one, ...others] = new Set(bases);
    return one === undefined || others.length > 0 ? usual : one;
  };
  return { skills: baseOf(USUAL.skills), agentSkills: baseOf(USUAL.agentSkills) };
}

function folderAbove(path: string, below: string): readonly string[] {
  if (path === below) return [''];
  return path.endsWith(`/${below}`) ? [path.slice(0, -below.length - 1)] : [];
}

function unitsIn(
  folder: FolderAccess,
  source: Source,
  { skills, files }: Collected,
  bases: Bases,
  lock: Lock,
  word: string,
): readonly PlacedUnit[] {
  const placed = placeFiles([...files.keys()], bases, rootNameOf(source, files));
  if ('problem' in placed) throw new UserError(`\`${word}\` cannot be installed: ${placed.problem}.`);
  const at = (path: string) => placed.places.get(path) as string;
  const parsed = skills.map((skill) => {
    const uri = uriAt(folder, at(skill.path));
    const file = new SkillFile(uri, files.get(skill.path)?.text ?? '');
    const sourceFiles = new Map(skill.files.map((path) => [at(path), files.get(path) as SourceFile]));
    return {
      name: file.contract.name?.name ?? nameFromUri(uri),
      version: file.contract.version?.name,
      uri,
      path: at(skill.path),
      sourceFiles,
    };
  });
  const keys = lockKeys(parsed);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined)
    throw new UserError(`\`${word}\` has two skills with the name \`${twice}\`. Name one of their files.`);
  return parsed.map(({ name, uri, path, sourceFiles }, index) => {
    const key = keys[index] as string;
    const list = [...sourceFiles].map(([to, file]) => unitFile(to, file)).sort((a, b) => (a.path < b.path ? -1 : 1));
    return { key, name, before: lock.get(key), unit: { uri, path, files: list }, sourceFiles };
  });
}

/**
 * Returns the folder name for a `SKILL.md` at the root: the skill's name in an archive, or else the name of the folder.
 */
function rootNameOf({ kind, name }: Source, files: ReadonlyMap<string, SourceFile>): string {
  const text = kind === 'archive' ? files.get('SKILL.md')?.text : undefined;
  const own = text === undefined ? undefined : new SkillFile('file:///SKILL.md', text).contract.name?.name;
  return own !== undefined && isName(own) ? own : name;
}
