/**
 * The caller's half of composing (docs/composer.md, "Request and result"): the surface intersected with what the caller
 * holds, defaults filled in, and the planner's gates, which the composer itself does not check.
 */
import { isUsable, type JsonObject, makeUp, withDefaults } from '../languages/schema/schema.ts';
import { heldScopes } from '../permissions/may-use.ts';
import { availabilityOf } from './capabilities.ts';
import type {
  CapabilitySet,
  ComposeRequest,
  Invocation,
  MemoryItem,
  SkillPackage,
  Surroundings,
} from './composition.ts';
import { type Gate, gatesOf } from './gates.ts';

export type { Gate } from './gates.ts';

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
  surroundings: Surroundings,
  sample: string | undefined,
  options: PrepareOptions = {},
): Prepared {
  const chosen = skillPackage.samples.find(({ name }) => name === sample);
  const invocation: PrepareOptions = { ...chosen?.invocation, ...options };
  const invocationSource = invocation.source ?? 'explicit';
  const callerCapabilities = capabilitiesOf(surroundings, invocation.profile);
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
      examples: surroundings.examples,
      // What a `SKILL.md` holds is its client's affair.
      contextTokens: skillPackage.dialect === 'agent-skill' ? undefined : surroundings.contextTokens,
      maxToolCalls: invocation.maxToolCalls,
    },
    without: invocation.without ?? [],
    // Parameters of the options have no place in the sample.
    places: options.parameters === undefined ? chosen?.places : undefined,
  };
  return { request, gates: gatesOf(skillPackage, surroundings, request, invocation.profile) };
}

/** A profile that the catalog does not have leaves the caller unknown; rule `invalid-sample` reports it. */
function capabilitiesOf({ profiles, roles }: Surroundings, name: string | undefined): CapabilitySet {
  const profile = profiles.find((candidate) => candidate.name === name);
  if (!profile) return { caller: name, scopes: 'all', tools: 'all' };
  const scopes = heldScopes(profile, roles);
  return { caller: profile.name, scopes, tools: profile.tools ?? 'all' };
}
