/** What decides whether a skill may be used, from summaries and catalogs alone (docs/format.md, section 6, "Permissions"). */
import type { Permission } from '../skill/package.ts';
import type { SkillSummary } from '../skill/summary.ts';
import type { SkillPermission, UseTerms } from './may-use.ts';

/**
 * `closure` is all that the skill composes, and `find` gives the permission of each, by the catalog that governs it: a part
 * that may not be used keeps back whatever composes it.
 */
export function useTermsOf<Skill extends { readonly summary: SkillSummary }>(
  skill: Skill,
  closure: readonly Skill[],
  find: (skill: Skill) => Permission | undefined,
): UseTerms {
  const permissions = [skill, ...closure].flatMap((one): readonly SkillPermission[] => {
    const permission = find(one);
    return permission ? [{ skill: one.summary.name ?? '', isPart: one !== skill, permission }] : [];
  });
  const { allowedRoles, requiredScopes, allowedContexts, capabilitiesRequired } = skill.summary;
  return { allowedRoles, requiredScopes, allowedContexts, capabilitiesRequired, permissions };
}
