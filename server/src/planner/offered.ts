/** The skills in the planner catalog (docs/registry.md, "The planner catalog"). */
import type { Analysis } from '../analysis/analysis.ts';
import { isHiddenFromModels, PER_CALL_GATES } from '../analysis/match-skills.ts';
import { invocationContextOf } from '../analysis/package-of.ts';
import { termsOfUse } from '../analysis/permissions.ts';
import { canariesOf, replacedBy, whyNotOffered } from '../analysis/replaced-by.ts';
import { denialsOf, heldScopes } from '../permissions/may-use.ts';
import { type IndexedSkill, visibleSkills } from '../workspace/workspace-index.ts';
import type { CatalogRow, PlannerEntry } from './entry.ts';

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

/**
 * Returns the skills in the files that have a name and valid frontmatter, sorted by name. If names are resolved for a
 * surface, leaves out the skills that it does not offer.
 */
export const namedSkills = ({ graph }: Analysis, uris: Iterable<string>): readonly IndexedSkill[] =>
  visibleSkills(graph, uris)
    .flatMap((uri) => graph.skills.get(uri) ?? [])
    .filter((skill) => !skill.summary.broken && skill.summary.name !== undefined)
    .filter((skill) => whyNotOffered(graph, skill) === undefined)
    .sort((a, b) => compared(a.summary.name ?? '', b.summary.name ?? '') || compared(a.uri, b.uri));

/** Returns the rows of the catalog as JSON for skills, with their canaries if names are resolved for a surface. */
export const catalogRows = (
  analysis: Analysis,
  uris: readonly string[],
  entryOf: (uri: string) => PlannerEntry,
  fileOf: (uri: string) => string,
): readonly CatalogRow[] =>
  uris.flatMap((uri) => {
    const skill = analysis.graph.skills.get(uri);
    if (!skill) return [];
    const canaries = canariesOf(analysis, skill).map(({ skill: { uri: other, summary }, percent }) => ({
      ...{ version: summary.version ?? null, file: fileOf(other), percent },
    }));
    return [{ file: fileOf(uri), entry: entryOf(uri), ...(analysis.graph.surface !== undefined && { canaries }) }];
  });

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
