/** Which skill goes before another one of its name, or takes its place (docs/matching.md, "Left out"). */
import type { Exclusion } from '../matching/rank.ts';
import { byVersion } from '../workspace/resolve-skill.ts';
import { type IndexedSkill, isOfAccount, skillsNamed } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';

/** Undefined where the skill stands for itself. */
export const replacedBy = (analysis: Analysis, skill: IndexedSkill): Exclusion | undefined =>
  namesakeInstead(analysis, skill) ?? successorOf(analysis, skill);

/**
 * Whether two skills may be called alike: versions of one, and its copies for several clients, are the same skill, and one that
 * another stands for is chosen by nobody.
 */
export const mayOverlap = (analysis: Analysis, a: IndexedSkill, b: IndexedSkill): boolean =>
  (a.summary.name === undefined || a.summary.name !== b.summary.name) &&
  !replacedBy(analysis, a) &&
  !replacedBy(analysis, b);

/** Where another skill of its name goes before this one. */
function namesakeInstead({ graph }: Analysis, { uri, summary }: IndexedSkill): Exclusion | undefined {
  if (summary.name === undefined) return undefined;
  const namesakes = skillsNamed(graph, summary.name);
  if (isOfAccount(graph, uri) && !namesakes.some((other) => other.uri === uri)) {
    return { reason: 'a skill of the workspace has its name and hides it' };
  }
  const [newest] = newestFirst(namesakes);
  if (!newest || byVersion(newest, { uri, summary }) === 0) return undefined;
  return { reason: `it is not the newest version, which is ${newest.summary.version}` };
}

/** The versions that are not deprecated go before those that are. */
const newestFirst = (skills: readonly IndexedSkill[]): readonly IndexedSkill[] =>
  [...skills].sort((a, b) => Number(a.summary.deprecated) - Number(b.summary.deprecated) || byVersion(a, b));

/** The skill that a deprecated one names, or the one that this names in turn, as far as they are there. */
function successorOf({ graph }: Analysis, skill: IndexedSkill): Exclusion | undefined {
  const seen = new Set<string>();
  let last = skill;
  while (last.summary.deprecated && last.summary.successor !== undefined && !seen.has(last.uri)) {
    seen.add(last.uri);
    const [next] = newestFirst(skillsNamed(graph, last.summary.successor));
    if (!next) break;
    last = next;
  }
  // In a circle none takes the place of another.
  if (last === skill || seen.has(last.uri)) return undefined;
  return { reason: `it is deprecated, and \`${last.summary.name}\` takes its place`, instead: last.uri };
}
