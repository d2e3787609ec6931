/** Which plain references of a `SKILL.md` mean a skill of the workspace. */
import type { PlainReference } from '../skill/body.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { contains } from '../text.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { resolvePath } from './links.ts';
import { type SkillGraph, skillsNamed } from './workspace-index.ts';

/** Those of a file, in the order of its text. */
export const meantReferences = (graph: SkillGraph, file: SkillFile): readonly PlainReference[] =>
  (file.body?.plainReferences ?? []).filter((reference) => isMeant(graph, file, reference));

/** A name means the skills that are called so; a link only one that lies in the folder it leads into. */
export function isMeant(
  graph: SkillGraph,
  { uri, text, body }: SkillFile,
  { name, form, span }: PlainReference,
): boolean {
  if (form !== 'link') return graph.byName.has(name);
  const skills = skillsNamed(graph, name);
  const link = skills.length === 0 ? undefined : body?.links.find(({ urlSpan }) => contains(urlSpan, span));
  if (!link) return false;
  const folder = resolvePath(folderOf(uri), text.slice(link.urlSpan.start, span.end));
  return skills.some((skill) => skill.uri === `${folder}/SKILL.md`);
}
