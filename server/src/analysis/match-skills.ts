/**
 * Finds the skills of a workspace that match a request, and the skills that must not be used for the request
 * (docs/matching.md).
 */

import { type Exclusion, type Ranking, rank } from '../matching/rank.ts';
import { type Denial, denialsOf, heldScopes } from '../permissions/may-use.ts';
import type { InvocationContext, InvocationSource } from '../skill/package.ts';
import type { Catalog } from '../workspace/catalog.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';
import { callersCatalogOf, invocationContextOf } from './package-of.ts';
import { termsOfUse } from './permissions.ts';
import { replacedBy } from './replaced-by.ts';

/** The gates that depend on the context of a single call, such as its channel. */
export const PER_CALL_GATES: readonly Denial['gate'][] = ['permission', 'context'];

export interface MatchQuery {
  readonly request: string;
  /** The maximum number of matches to return. */
  readonly top: number;
  readonly source: InvocationSource;
  /** The channel of the call; undefined means workspace scope. */
  readonly channel?: string | undefined;
  /**
   * The caller: the name of a profile in the catalog. If it is undefined, all roles, scopes and capabilities are
   * allowed.
   */
  readonly profile?: string | undefined;
  /** True to ignore the contexts and the channels of skills. */
  readonly isAnywhere?: true;
  /** The URI of the file or folder for which a skill is chosen. Its workspace folder has precedence over the others. */
  readonly from?: string | undefined;
  /** The surface of the call; undefined means no particular surface. */
  readonly surface?: string | undefined;
  /** The URIs of the files to search; undefined means all files. */
  readonly among?: ReadonlySet<string> | undefined;
}

/**
 * Returns the best matches for a request, and the skills that were left out, each with the reason (docs/matching.md).
 */
export function matchSkills(current: Analysis, query: MatchQuery): Ranking {
  const { request, top, among, surface } = query;
  const analysis = surface === undefined ? current : current.onSurface(surface);
  const invocationContext = new Map<Catalog, InvocationContext>();
  const around = ({ uri }: IndexedSkill): InvocationContext => {
    const catalog = callersCatalogOf(analysis, uri);
    const known = invocationContext.get(catalog) ?? invocationContextOf(analysis, uri);
    invocationContext.set(catalog, known);
    return known;
  };
  const mayNot = (skill: IndexedSkill) => closedGate(analysis, skill, query, around(skill));
  return rank(analysis.search, request, {
    top,
    marginOf: (best) => analysis.parsedCatalogOf(best).matchingMargin,
    isCandidate: (uri) => among?.has(uri) ?? true,
    exclude: (uri) => {
      const skill = analysis.graph.skills.get(uri);
      return skill && exclusionOf(analysis, skill, query, mayNot);
    },
  });
}

/** Returns whether a `SKILL.md` prevents models from choosing the skill (`disable-model-invocation`). */
export const isHiddenFromModels = ({ summary }: IndexedSkill): boolean =>
  summary.agentSkill?.keys.some(({ name, text }) => name === 'disable-model-invocation' && /^true$/i.test(text)) ===
  true;

function exclusionOf(
  analysis: Analysis,
  skill: IndexedSkill,
  { source, from = '' }: MatchQuery,
  mayNot: (skill: IndexedSkill) => string | undefined,
): Exclusion | undefined {
  const { summary } = skill;
  if (summary.broken) return { reason: 'its frontmatter does not parse' };
  const instead = replacedBy(analysis, skill, from);
  if (instead) return instead;
  if (isHiddenFromModels(skill) && (source === 'agent-selected' || source === 'scheduled')) {
    return { reason: '`disable-model-invocation` prevents models from choosing it' };
  }
  const reason = mayNot(skill);
  return reason === undefined ? undefined : { reason };
}

/** Returns the first reason why the skill must not be used for the query; undefined if it can be used. */
function closedGate(
  analysis: Analysis,
  skill: IndexedSkill,
  { source, channel, profile: name, isAnywhere }: MatchQuery,
  { profiles, roles }: InvocationContext,
): string | undefined {
  const profile = profiles.find((one) => one.name === name);
  const use = { profile, scopes: heldScopes(profile, roles), source, channel };
  const denials = denialsOf(termsOfUse(analysis, skill), use);
  return denials.find(({ gate }) => !isAnywhere || !PER_CALL_GATES.includes(gate))?.reason;
}
