/** The planner's gates: role, scopes, context, capability flags, deprecation (docs/composer.md, "Request and result"). */
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
    const allowed = allowedRoles.map((one) => `\`${one.name}\``).join(', ');
    const who = role === undefined ? `\`${profile.name}\` has no role` : `\`${profile.name}\` has the role \`${role}\``;
    gates.push({
      gate: 'role',
      uri,
      span: firstRole.span,
      reason: `${who}, and only ${allowed} may invoke the skill`,
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
  for (const { kind, value, span } of capabilitiesRequired) {
    // `tier: any` asks for nothing.
    if (value === 'any' || value === 'false') continue;
    const reason = `the skill needs the ${kind.replaceAll('_', ' ')} \`${value}\`, which the caller may lack`;
    gates.push({ gate: 'capability', uri, span, reason, closed: false });
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
  const allowed = allowedContexts.map(({ name }) => `\`${name}\``).join(', ');
  const reason = `this invocation's context is \`${context}\`, and only ${allowed} may invoke the skill`;
  return [{ gate: 'context', uri, span: first.span, reason, closed: true }];
}
