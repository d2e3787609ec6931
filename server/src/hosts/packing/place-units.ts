/** Where the skills of a source stand in a workspace, and under which names in its lock. */
import { relative, resolve, sep } from 'node:path';
import { pathProblem } from '../../packing/archive-path.ts';
import type { Lock } from '../../packing/lock.ts';
import { type Bases, placeFiles, USUAL } from '../../packing/placing.ts';
import { lockKeys, type PlannedUnit } from '../../packing/plan.ts';
import { isName, promisedName } from '../../skill/kebab-name.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { isWithin } from '../disk/paths.ts';
import type { Collected } from './collect.ts';
import { unitFile, uriAt } from './installed.ts';
import { Refusal } from './refusal.ts';
import type { Source, SourceFile } from './source.ts';

export interface PlacedUnit extends PlannedUnit {
  readonly name: string;
  readonly sourceFiles: ReadonlyMap<string, SourceFile>;
}

export function basesFor(cwd: string, root: string, to: string | undefined): Bases {
  if (to === undefined) return USUAL;
  const folder = resolve(cwd, to);
  if (!isWithin(root, folder)) {
    throw new Refusal(
      `\`--to ${to}\` is outside the workspace, whose lock file names only what is in it: run the command there, or with \`--cwd\`.`,
    );
  }
  const base = relative(root, folder).replaceAll(sep, '/');
  const problem = base === '' ? undefined : pathProblem(base);
  if (problem !== undefined) throw new Refusal(`\`--to ${to}\` ${problem}.`);
  return { skills: base, agentSkills: base };
}

/** Relative to the workspace, so that the lock file says the same on every machine; else as it is. */
export function originOf(root: string, path: string): string {
  const way = relative(root, path).replaceAll(sep, '/');
  return way === '' ? '.' : way;
}

export function placedUnits(
  root: string,
  source: Source,
  { skills, files }: Collected,
  bases: Bases,
  lock: Lock,
  word: string,
): readonly PlacedUnit[] {
  const placed = placeFiles([...files.keys()], bases, rootNameOf(source, files));
  if ('problem' in placed) throw new Refusal(`\`${word}\` cannot be installed: ${placed.problem}.`);
  const at = (path: string) => placed.places.get(path) as string;
  const parsed = skills.map((skill) => {
    const uri = uriAt(root, at(skill.path));
    const file = new SkillFile(uri, files.get(skill.path)?.text ?? '');
    const sourceFiles = new Map(skill.files.map((path) => [at(path), files.get(path) as SourceFile]));
    return {
      name: file.contract.name?.name ?? promisedName(uri),
      version: file.contract.version?.name,
      uri,
      path: at(skill.path),
      sourceFiles,
    };
  });
  const keys = lockKeys(parsed);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined)
    throw new Refusal(`\`${word}\` has two skills called \`${twice}\`: choose one of their files.`);
  return parsed.map(({ name, uri, path, sourceFiles }, index) => {
    const key = keys[index] as string;
    const list = [...sourceFiles].map(([to, file]) => unitFile(to, file)).sort((a, b) => (a.path < b.path ? -1 : 1));
    return { key, name, before: lock.get(key), unit: { uri, path, files: list }, sourceFiles };
  });
}

/** A `SKILL.md` at the root of an archive has a folder of its own name; that of a folder keeps the folder's. */
function rootNameOf({ kind, name }: Source, files: ReadonlyMap<string, SourceFile>): string {
  const text = kind === 'archive' ? files.get('SKILL.md')?.text : undefined;
  const own = text === undefined ? undefined : new SkillFile('file:///SKILL.md', text).contract.name?.name;
  return own !== undefined && isName(own) ? own : name;
}
