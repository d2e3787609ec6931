/** Which files beside it a skill needs, of those that there are. */
import type { SkillFile } from '../skill/skill-file.ts';
import { OUTPUTS, PROMPTS } from '../testing/kept-files.ts';
import { decoded, isAgentSkillName } from '../vocabulary/dialect.ts';
import { linkTargets, resolvePath } from '../workspace/links.ts';
import { isInFolder, nameOf, parentOf } from './unit.ts';

/** The URI of a path below a root. */
export const uriIn = (root: string, path: string): string => resolvePath(root, path);

/** The folders of which a skill at this path may need files that it does not link to. */
export function foldersFor(path: string): readonly string[] {
  const folder = parentOf(path);
  return isAgentSkillName(nameOf(path))
    ? [folder]
    : [PROMPTS, OUTPUTS].map((one) => (folder === '' ? one : `${folder}/${one}`));
}

/** All of the folder of a `SKILL.md`; of another skill what is kept beside it for its tests. */
export function filesOfFolder(skill: SkillFile, path: string, all: readonly string[]): readonly string[] {
  const folders = foldersFor(path);
  if (skill.dialect === 'agent-skill') return all.filter((other) => folders.some((one) => isInFolder(one, other)));
  const name = skill.contract.name?.name;
  if (name === undefined) return [];
  return all.filter(
    (other) =>
      folders.includes(parentOf(other)) &&
      (nameOf(other).startsWith(`${name}.`) || nameOf(other).startsWith(`${name}@`)),
  );
}

/** The paths below the root that a skill, or a page that it leads to, links to; nothing need be there. */
export function linkedPaths(file: SkillFile, root: string): readonly string[] {
  const prefix = `${root}/`;
  return linkTargets(file).flatMap(({ uri }) => (uri.startsWith(prefix) ? [decoded(uri.slice(prefix.length))] : []));
}
