/**
 * The caller's half of composing (docs/composer.md, "Request and result"): the surface intersected with what the caller
 * holds, defaults filled in, and the planner's gates, which the composer itself does not check.
 */
import { isUsable, type JsonObject, makeUp, withDefaults } from '../languages/schema/schema.ts';
import { type Denial, denialsOf, heldScopes, type SkillPermission } from '../permissions/may-use.ts';
import { availabilityOf } from './capabilities.ts';
import type {
  CapabilitySet,
  ComposeRequest,
  FileSpan,
  Invocation,
  InvocationContext,
  MemoryItem,
  SkillPackage,
} from './composition.ts';

export interface Prepared {
  readonly request: ComposeRequest;
  readonly gates: readonly Gate[];
}

/** What an invocation can give beyond what a sample gives. */
export interface PrepareOptions extends Invocation {
  readonly memory?: readonly MemoryItem[];
  readonly maxToolCalls?: number;
  readonly without?: readonly string[];
  /** Makes up the parameters that neither sample nor options give. */
  readonly madeUp?: boolean;
}

/**
 * Makes the request. `sample` names a sample of the package; `options` go before what it gives. Without a profile nothing
 * is known of the caller, who then holds everything that the surface names.
 */
export function prepareRequest(
  skillPackage: SkillPackage,
  invocationContext: InvocationContext,
  sample: string | undefined,
  options: PrepareOptions = {},
): Prepared {
  const chosen = skillPackage.samples.find(({ name }) => name === sample);
  const invocation: PrepareOptions = { ...chosen?.invocation, ...options };
  const invocationSource = invocation.source ?? 'explicit';
  const callerCapabilities = capabilitiesOf(invocationContext, invocation.profile);
  const { inputSchema } = skillPackage;
  const given = invocation.parameters ?? {};
  const filled = (inputSchema && isUsable(inputSchema) ? withDefaults(inputSchema, given) : given) as JsonObject;
  const madeUp = inputSchema && isUsable(inputSchema) && options.madeUp ? makeUp(inputSchema, filled) : {};
  const request: ComposeRequest = {
    skillPackage,
    userRequest: invocation.request ?? '',
    invocationSource,
    channelId: invocation.channel,
    threadId: invocation.thread_id,
    memoryContext: invocation.memory ?? [],
    availableTools: skillPackage.tools.flatMap((tool) =>
      tool.descriptor && availabilityOf(tool, callerCapabilities, invocationSource).available ? [tool.descriptor] : [],
    ),
    callerCapabilities,
    parameters: { ...filled, ...madeUp },
    madeUp: Object.keys(madeUp),
    model: invocation.model ?? skillPackage.modelPreference[0],
    limits: {
      examples: invocationContext.examples,
      // What a `SKILL.md` holds is its client's affair.
      contextTokens: skillPackage.dialect === 'agent-skill' ? undefined : invocationContext.contextTokens,
      maxToolCalls: invocation.maxToolCalls,
    },
    without: invocation.without ?? [],
    // Parameters of the options have no place in the sample.
    places: options.parameters === undefined ? chosen?.places : undefined,
  };
  return { request, gates: gatesOf(skillPackage, invocationContext, request, invocation.profile) };
}

/** A profile that the catalog does not have leaves the caller unknown; rule `invalid-sample` reports it. */
function capabilitiesOf({ profiles, roles }: InvocationContext, name: string | undefined): CapabilitySet {
  const profile = profiles.find((candidate) => candidate.name === name);
  if (!profile) return { caller: name, scopes: 'all', tools: 'all' };
  const scopes = heldScopes(profile, roles);
  return { caller: profile.name, scopes, tools: profile.tools ?? 'all' };
}

// The planner's gates: permissions, role, scopes, context, capabilities, deprecation (docs/composer.md, "Request and
// result").

/** Why the planner would not dispatch the invocation. The composer composes all the same. */
export interface Gate extends FileSpan {
  readonly gate: Denial['gate'] | 'deprecation';
  /** Goes on from "the planner would not dispatch this, because": no capital, no full stop. */
  readonly reason: string;
}

/** `name` is the caller's, a profile of the catalog; a profile that there is not leaves the caller unknown. */
function gatesOf(
  skillPackage: SkillPackage,
  { profiles, roles }: InvocationContext,
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
  const entries: Readonly<Record<Denial['gate'], readonly Partial<FileSpan>[]>> = {
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
