/** The skills in the planner catalog (docs/registry.md, "The planner catalog"). */
import type { Analysis } from '../analysis/analysis.ts';
import { isHiddenFromModels, PER_CALL_GATES } from '../analysis/match-skills.ts';
import { invocationContextOf } from '../analysis/package-of.ts';
import { termsOfUse } from '../analysis/permissions.ts';
import { replacedBy } from '../analysis/replaced-by.ts';
import { denialsOf, heldScopes } from '../permissions/may-use.ts';
import { type IndexedSkill, visibleSkills } from '../workspace/workspace-index.ts';

/**
 * Returns the skills in the files that the caller `profile` may use, sorted by name. Without a profile, the caller has
 * all scopes.
 */
export function offeredSkills(
  analysis: Analysis,
  uris: Iterable<string>,
  profile: string | undefined,
): readonly IndexedSkill[] {
  return namedSkills(analysis, uris).filter((skill) => isOffered(analysis, skill, profile));
}

/** Returns the skills in the files that have a name and valid frontmatter, sorted by name. */
export const namedSkills = (analysis: Analysis, uris: Iterable<string>): readonly IndexedSkill[] =>
  visibleSkills(analysis.graph, uris)
    .flatMap((uri) => analysis.graph.skills.get(uri) ?? [])
    .filter(({ summary }) => !summary.broken && summary.name !== undefined)
    .sort((a, b) => compared(a.summary.name ?? '', b.summary.name ?? '') || compared(a.uri, b.uri));

/** Compares two strings by code units, so that the order is the same on every machine. */
const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function isOffered(analysis: Analysis, skill: IndexedSkill, profile: string | undefined): boolean {
  if (isHiddenFromModels(skill) || replacedBy(analysis, skill, '')) return false;
  const { profiles, roles } = invocationContextOf(analysis, skill.uri);
  const caller = profiles.find(({ name }) => name === profile);
  const use = {
    profile: caller,
    scopes: heldScopes(caller, roles),
    source: 'agent-selected',
    channel: undefined,
  } as const;
  return denialsOf(termsOfUse(analysis, skill), use).every(({ gate }) => PER_CALL_GATES.includes(gate));
}
