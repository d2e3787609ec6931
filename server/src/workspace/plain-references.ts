/** Which plain references of a `SKILL.md` mean a skill of the workspace. */
import type { PlainReference } from '../skill/body.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { fileNameOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import { resolvePath } from './links.ts';
import { resolveSummary } from './resolve-skill.ts';
import { type IndexedSkill, type SkillGraph, skillsNamed } from './workspace-index.ts';

/** Those of a file, in the order of its text. */
export const meantReferences = (graph: SkillGraph, file: SkillFile): readonly PlainReference[] =>
  (file.body?.plainReferences ?? []).filter((reference) => isMeant(graph, file, reference));

export const isMeant = (graph: SkillGraph, file: SkillFile, reference: PlainReference): boolean =>
  findMeant(graph, file, reference) !== undefined;

/** A name means the skill that it resolves to; a link the one that lies in the folder it leads into. */
export function findMeant(
  graph: SkillGraph,
  { uri, summary }: SkillFile,
  { name, form, path }: PlainReference,
): IndexedSkill | undefined {
  if (form !== 'link') return resolveSummary(graph, summary, name);
  const skills = skillsNamed(graph, name);
  const folder = skills.length === 0 ? undefined : resolvePath(folderOf(uri), path);
  return skills.find((skill) => isAgentSkillName(fileNameOf(skill.uri)) && folderOf(skill.uri) === folder);
}
