/** The planner's gates: role, scopes, context, capability flags, deprecation (docs/composer.md, "Request and result"). */
import { inWords } from '../nearest.ts';
import type { CallerProfile } from '../skill/package.ts';
import type { ComposeRequest, InvocationSource, Place, SkillPackage, Surroundings } from './composition.ts';

/** Why the planner would not dispatch the invocation. The composer composes all the same. */
export interface Gate extends Place {
  readonly gate: 'role' | 'scope' | 'context' | 'capability' | 'deprecation';
  /** Goes on from "the planner would not dispatch this, because": no capital, no full stop. */
  readonly reason: string;
  /** False where it is not known here whether the gate is open: what the caller holds is known at run time only. */
  readonly closed: boolean;
}

export function gatesOf(
  skillPackage: SkillPackage,
  { profiles }: Surroundings,
  { callerCapabilities: { scopes }, invocationSource, channelId }: ComposeRequest,
  name: string | undefined,
): readonly Gate[] {
  const { uri, allowedRoles, requiredScopes, capabilitiesRequired, deprecated } = skillPackage;
  const gates: Gate[] = [];
  const profile = profiles.find((candidate) => candidate.name === name);
  const role = profile?.role;
  const [firstRole] = allowedRoles;
  if (profile && firstRole && !allowedRoles.some((allowed) => allowed.name === role)) {
    const allowed = inWords(
      allowedRoles.map((one) => one.name),
      'or',
    );
    const who = role === undefined ? `\`${profile.name}\` has no role` : `\`${profile.name}\` has the role \`${role}\``;
    gates.push({
      gate: 'role',
      uri,
      span: firstRole.span,
      reason: `${who}, and the skill takes callers with the role ${allowed} only`,
      closed: true,
    });
  }
  for (const scope of requiredScopes) {
    if (scopes === 'all' || scopes.includes(scope.name)) continue;
    gates.push({
      gate: 'scope',
      uri,
      span: scope.span,
      reason: `\`${name}\` lacks the scope \`${scope.name}\``,
      closed: true,
    });
  }
  gates.push(...contextGates(skillPackage, invocationSource, channelId));
  for (const required of capabilitiesRequired) {
    const has = hasCapability(profile, required);
    if (has === true) continue;
    const { kind, value, span } = required;
    const who = profile ? `\`${profile.name}\`` : 'the caller';
    const lacks = has === false ? 'does not have' : 'may lack';
    const reason = `the skill needs the ${kind === 'tier' ? 'tier' : 'feature flag'} \`${value}\`, which ${who} ${lacks}`;
    gates.push({ gate: 'capability', uri, span, reason, closed: has === false });
  }
  if (deprecated) {
    const instead = deprecated.successor === undefined ? '' : `; use \`${deprecated.successor}\``;
    gates.push({
      gate: 'deprecation',
      uri,
      span: deprecated.span,
      reason: `the skill is deprecated${instead}`,
      closed: true,
    });
  }
  return gates;
}

/** Undefined where the profile, or no profile at all, leaves it open. */
function hasCapability(
  profile: CallerProfile | undefined,
  { kind, value }: SkillPackage['capabilitiesRequired'][number],
): boolean | undefined {
  if (kind === 'feature_flag') return profile?.featureFlags?.includes(value);
  const tier = profile?.tier;
  if (value === 'any' || tier === 'any') return true;
  return tier === undefined ? undefined : tier === value;
}

/** `scheduled` and `autonomous` follow from the source; else the channel decides. */
function contextGates(
  { uri, allowedContexts }: SkillPackage,
  source: InvocationSource,
  channel: string | undefined,
): Gate[] {
  const [first] = allowedContexts;
  if (!first) return [];
  const context = source === 'scheduled' ? 'scheduled' : channel === undefined ? 'workspace' : 'channel';
  const contexts: string[] = source === 'agent-selected' ? [context, 'autonomous'] : [context];
  if (allowedContexts.some(({ name }) => contexts.includes(name))) return [];
  const allowed = inWords(
    allowedContexts.map(({ name }) => name),
    'or',
  );
  const reason = `this invocation's context is \`${context}\`, and the skill may be invoked in the context ${allowed} only`;
  return [{ gate: 'context', uri, span: first.span, reason, closed: true }];
}
