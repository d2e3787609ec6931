/** Which of several skills of one name a file means (docs/format.md, section 4, "Side by side"). */
import { compare, satisfies, valid, validRange } from 'semver';
import type { SkillSummary } from '../skill/skill-file.ts';
import { type IndexedSkill, type SkillGraph, skillsNamed } from './workspace-index.ts';

/**
 * The highest version that the skill's `requires` allows, without a range the highest that is not deprecated. Where no
 * version is allowed the highest stands in, so that whoever judges ranges has something to show.
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

/** The ranges that a skill asks for under a name; what is no range asks for nothing. */
export const rangesFor = (from: SkillSummary, name: string): readonly string[] =>
  from.requires.flatMap(({ skill, range }) => (skill === name && range && validRange(range) !== null ? [range] : []));

/** Whether a version is one and stands in the range. */
export const allows = (range: string, version: string | undefined): boolean => satisfies(version ?? '', range);

/** Of equal versions the first. */
const highest = (skills: readonly IndexedSkill[]): IndexedSkill | undefined => [...skills].sort(byVersion)[0];

/** From the highest version down; what is no version comes last. */
export const byVersion = (a: IndexedSkill, b: IndexedSkill): number =>
  compare(valid(b.summary.version) ?? '0.0.0', valid(a.summary.version) ?? '0.0.0');
