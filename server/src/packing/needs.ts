/** Which files beside it a skill needs, of those that there are. */
import type { SkillFile } from '../skill/skill-file.ts';
import { OUTPUTS, PROMPTS } from '../testing/kept-files.ts';
import { decoded } from '../vocabulary/dialect.ts';
import { linkTargets, resolvePath } from '../workspace/links.ts';
import { isInFolder, nameOf, parentOf } from './unit.ts';

/** Paths below a root, and their URIs there. */
export interface Rooted {
  readonly root: string;
  readonly paths: ReadonlySet<string>;
}

export const uriIn = ({ root }: { readonly root: string }, path: string): string => resolvePath(root, path);

/** All of the folder of a `SKILL.md`; of another skill what is kept beside it for its tests. */
export function filesOfFolder(skill: SkillFile, path: string, all: readonly string[]): readonly string[] {
  const folder = parentOf(path);
  if (skill.dialect === 'agent-skill') return all.filter((other) => isInFolder(folder, other));
  const name = skill.contract.name?.name;
  if (name === undefined) return [];
  const kept = [PROMPTS, OUTPUTS].map((one) => (folder === '' ? one : `${folder}/${one}`));
  return all.filter(
    (other) =>
      kept.includes(parentOf(other)) && (nameOf(other).startsWith(`${name}.`) || nameOf(other).startsWith(`${name}@`)),
  );
}

/** The files that a skill, or a page that it leads to, links to. */
export function linkedFiles(file: SkillFile, { root, paths }: Rooted): readonly string[] {
  const prefix = `${root}/`;
  return linkTargets(file).flatMap(({ uri }) => {
    if (!uri.startsWith(prefix)) return [];
    const path = decoded(uri.slice(prefix.length));
    return paths.has(path) ? [path] : [];
  });
}
