/** Which of several skills of one name a file means (docs/format.md, section 4, "Side by side"). */
import { compare, satisfies, valid, validRange } from 'semver';
import type { PlainReference } from '../skill/body.ts';
import type { SkillFile, SkillSummary } from '../skill/skill-file.ts';
import { fileNameOf, folderOf, isAgentSkillName } from '../vocabulary/dialect.ts';
import { resolvePath } from './links.ts';
import { type IndexedSkill, type SkillGraph, skillsNamed } from './workspace-index.ts';

/**
 * The highest version that the skill's `requires` allows, without a range the highest that is not deprecated. Where no
 * version is allowed it is the highest one, which findings on ranges then show.
 */
export function resolveSummary(graph: SkillGraph, from: SkillSummary, name: string): IndexedSkill | undefined {
  const all = skillsNamed(graph, name);
  if (all.length < 2) return all[0];
  const ranges = rangesFor(from, name);
  const allowed = all.filter(({ summary }) =>
    ranges.length === 0 ? !summary.deprecated : ranges.every((range) => allows(range, summary.version)),
  );
  return highest(allowed) ?? highest(all);
}

/** The valid ranges that a skill requires of a name. */
export const rangesFor = (from: SkillSummary, name: string): readonly string[] =>
  from.requires.flatMap(({ skill, range }) => (skill === name && range && validRange(range) !== null ? [range] : []));

/** Whether a version is valid and in the range. */
export const allows = (range: string, version: string | undefined): boolean => satisfies(version ?? '', range);

/** Of equal versions the first. */
const highest = (skills: readonly IndexedSkill[]): IndexedSkill | undefined => [...skills].sort(byVersion)[0];

/** From the highest version down; invalid versions come last. */
export const byVersion = (a: IndexedSkill, b: IndexedSkill): number =>
  compare(valid(b.summary.version) ?? '0.0.0', valid(a.summary.version) ?? '0.0.0');

// Which plain references of a `SKILL.md` mean a skill of the workspace.

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
