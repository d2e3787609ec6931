/** The planner's gates: permissions, role, scopes, context, capabilities, deprecation (docs/composer.md, "Request and result"). */
import { type Denial, denialsOf, heldScopes, type SkillPermission } from '../permissions/may-use.ts';
import type { ComposeRequest, Place, SkillPackage, Surroundings } from './composition.ts';

/** Why the planner would not dispatch the invocation. The composer composes all the same. */
export interface Gate extends Place {
  readonly gate: Denial['gate'] | 'deprecation';
  /** Goes on from "the planner would not dispatch this, because": no capital, no full stop. */
  readonly reason: string;
}

/** `name` is the caller's, a profile of the catalog; a profile that there is not leaves the caller unknown. */
export function gatesOf(
  skillPackage: SkillPackage,
  { profiles, roles }: Surroundings,
  { invocationSource: source, channelId: channel }: ComposeRequest,
  name: string | undefined,
): readonly Gate[] {
  const { uri, allowedRoles, requiredScopes, allowedContexts, capabilitiesRequired, deprecated } = skillPackage;
  const profile = profiles.find((candidate) => candidate.name === name);
  const permissions = [...permissionsOf(skillPackage).values()];
  const denials = denialsOf(
    {
      allowedRoles: allowedRoles.map((role) => role.name),
      requiredScopes: requiredScopes.map((scope) => scope.name),
      allowedContexts: allowedContexts.map((context) => context.name),
      capabilitiesRequired,
      permissions,
    },
    { profile, scopes: heldScopes(profile, roles), source, channel },
  );
  const entries: Readonly<Record<Denial['gate'], readonly Partial<Place>[]>> = {
    disabled: permissions.map(({ permission }) => permission),
    permission: permissions.map(({ permission }) => permission),
    role: allowedRoles,
    scope: requiredScopes,
    context: allowedContexts,
    capability: capabilitiesRequired,
  };
  const gates: Gate[] = denials.map(({ gate, entry, reason }) => {
    const place = entries[gate][entry];
    return { gate, uri: place?.uri ?? uri, span: place?.span ?? skillPackage.headSpan, reason };
  });
  if (!deprecated) return gates;
  const instead = deprecated.successor === undefined ? '' : `; use \`${deprecated.successor}\``;
  return [...gates, { gate: 'deprecation', uri, span: deprecated.span, reason: `the skill is deprecated${instead}` }];
}

/** By file: what the catalogs say of the skill, and of each that it composes. */
function permissionsOf(root: SkillPackage): ReadonlyMap<string, SkillPermission> {
  const found = new Map<string, SkillPermission>();
  const packages = new Set([root]);
  // A loop over a set also visits what is added meanwhile.
  for (const one of packages) {
    const { uri, name, permission } = one;
    if (permission) found.set(uri, { skill: name?.name ?? '', isPart: one !== root, permission });
    for (const part of one.composes) if (typeof part.package !== 'string') packages.add(part.package);
  }
  return found;
}
