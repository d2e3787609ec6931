/**
 * Makes the request of a composition (docs/composer.md, "Request and result"): intersects the surface with the tools of
 * the caller, fills in defaults, and checks the planner's gates, which the composer itself does not check.
 */
import { generateValues, isUsable, type JsonObject, withDefaults } from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';
import { type Denial, denialsOf, heldScopes, type UseTerms } from '../permissions/may-use.ts';
import { nextPackages } from '../skill/package.ts';
import { availabilityOf } from './capabilities.ts';
import type {
  CapabilitySet,
  ComposeRequest,
  FileSpan,
  Invocation,
  InvocationContext,
  InvocationSource,
  SkillPackage,
  ToolDescriptor,
} from './composition.ts';
import { isTooDeep, MAX_NESTING } from './json.ts';

export interface Prepared {
  readonly request: ComposeRequest;
  readonly gates: readonly Gate[];
  /** The tools of the skill and its closure that exist, but that the caller may not use. */
  readonly denied: readonly string[];
}

/** An invocation, with additional values that a sample cannot specify. */
export interface PrepareOptions extends Invocation {
  readonly maxToolCalls?: number;
  readonly without?: readonly string[];
  /** True to make up values for the parameters that neither the sample nor the options specify. */
  readonly madeUp?: boolean;
  /** The names of optional parameters without a value, also where the sample has one. */
  readonly omitted?: readonly string[];
}

/**
 * Returns a request, the gates that deny it, and the tools that the caller may not use (docs/composer.md, "Request and result"). `sample` is the name of a
 * sample in the package; `options` override its values. Without a profile, the caller is unknown and may use all tools.
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
  const tooDeep = Object.entries(invocation.parameters ?? {}).flatMap(([name, value]) =>
    isTooDeep(value, MAX_NESTING) ? [name] : [],
  );
  const { omitted = [] } = options;
  const isRead = ([name]: readonly [string, unknown]): boolean => !tooDeep.includes(name);
  const isGiven = (entry: readonly [string, unknown]): boolean => isRead(entry) && !omitted.includes(entry[0]);
  const given = Object.fromEntries(Object.entries(invocation.parameters ?? {}).filter(isGiven));
  const filled = (inputSchema && isUsable(inputSchema) ? withDefaults(inputSchema, given) : given) as JsonObject;
  const generated =
    inputSchema && isUsable(inputSchema) && options.madeUp ? generateValues(inputSchema, filled).values : {};
  const madeUp = Object.fromEntries(Object.entries(generated).filter(([name]) => !omitted.includes(name)));
  const model = invocation.model ?? skillPackage.modelPreference[0];
  const request: ComposeRequest = {
    skillPackage,
    userRequest: invocation.request ?? '',
    invocationSource,
    channelId: invocation.channel,
    threadId: invocation.thread_id,
    memoryContext: invocation.memory ?? [],
    availableTools: availableTools(skillPackage, callerCapabilities, invocationSource),
    callerCapabilities,
    parameters: Object.fromEntries(Object.entries({ ...filled, ...madeUp }).filter(isRead)),
    ...(tooDeep.length > 0 && { tooDeep }),
    makesUp: options.madeUp === true,
    madeUp: Object.keys(madeUp).filter((name) => !tooDeep.includes(name)),
    model,
    modelNames: modelNames(invocationContext, model),
    limits: {
      examples: invocationContext.examples,
      // The client that loads a `SKILL.md` decides how long the text may be.
      contextTokens: skillPackage.dialect === 'agent-skill' ? undefined : invocationContext.contextTokens,
      maxToolCalls: invocation.maxToolCalls,
    },
    without: invocation.without ?? [],
    ...(invocationContext.strictTemplates && { strictTemplates: true }),
    // Parameters from the options have no location in the file.
    places: options.parameters === undefined ? chosen?.places : undefined,
  };
  const gates = gatesOf(skillPackage, invocationContext, request, invocation.profile);
  return { request, gates, denied: deniedTools(request) };
}

/** Returns the names of the template variants that fit a model, the best first: its own, and that of its family. */
function modelNames({ modelFamilies }: InvocationContext, model: string | undefined): readonly string[] {
  if (model === undefined) return [];
  const known = modelFamilies.find(({ name }) => name === model);
  return known ? [model, known.family] : [model];
}

export type ConditionContext = Readonly<Record<string, Json>>;

/**
 * Returns the variables that conditions can read: the parameters by name, and `parameters`, `scope`, `source` and
 * `model`. If a parameter has the name of another variable, conditions can read the parameter only through
 * `parameters`.
 */
export function conditionContext(
  parameters: Readonly<Record<string, Json>>,
  { channelId, invocationSource, model }: Pick<ComposeRequest, 'channelId' | 'invocationSource' | 'model'>,
): Record<string, Json> {
  return {
    ...parameters,
    parameters,
    scope: channelId === undefined ? 'workspace' : 'channel',
    source: invocationSource,
    model: model ?? null,
  };
}

/** Returns the tools of the skill that the caller may use (docs/composer.md, "Request and result"). */
export const availableTools = (
  { tools }: SkillPackage,
  capabilities: CapabilitySet,
  source: InvocationSource,
): readonly ToolDescriptor[] =>
  tools.flatMap((tool) =>
    tool.descriptor && availabilityOf(tool, capabilities, source).available ? [tool.descriptor] : [],
  );

function deniedTools({ skillPackage, callerCapabilities, invocationSource }: ComposeRequest): readonly string[] {
  const tools = [...closureOf(skillPackage)].flatMap((one) => one.tools);
  const denied = tools.filter(
    (tool) => tool.descriptor && !availabilityOf(tool, callerCapabilities, invocationSource).available,
  );
  return [...new Set(denied.map(({ name }) => name))];
}

/** Returns the package of a skill and those of all skills that a run of it may reach. */
export function closureOf(root: SkillPackage): ReadonlySet<SkillPackage> {
  const packages = new Set([root]);
  // A loop over a set also visits elements that are added during the loop.
  for (const one of packages) for (const next of nextPackages(one)) packages.add(next);
  return packages;
}

/**
 * Returns the capabilities of the profile `name`. If the profile does not exist, the caller is unknown, and the rule
 * `invalid-sample` reports the name.
 */
function capabilitiesOf({ profiles, roles }: InvocationContext, name: string | undefined): CapabilitySet {
  const profile = profiles.find((candidate) => candidate.name === name);
  if (!profile) return { caller: name, scopes: 'all', tools: 'all' };
  const scopes = heldScopes(profile, roles);
  return { caller: profile.name, scopes, tools: profile.tools ?? 'all' };
}

// Checks the planner's gates, such as permissions, roles, scopes and deprecation (docs/composer.md, "Request and
// result").

/** A reason why the planner would not dispatch the invocation. The composer composes the skill anyway. */
export interface Gate extends FileSpan {
  readonly gate: Denial['gate'] | 'deprecation';
  /** A clause that continues "the planner would not dispatch this skill, because": no capital letter, no period. */
  readonly reason: string;
}

/**
 * Returns the gates that deny the request. If the profile `name` is unknown, roles, scopes and capabilities are not
 * checked.
 */
function gatesOf(
  skillPackage: SkillPackage,
  { profiles, roles }: InvocationContext,
  { invocationSource: source, channelId: channel }: ComposeRequest,
  name: string | undefined,
): readonly Gate[] {
  const { uri, deprecated } = skillPackage;
  const profile = profiles.find((candidate) => candidate.name === name);
  const skills = gatedSkillsOf(skillPackage);
  const tools = toolsOf(skills);
  const reached = [...skills, ...tools];
  const terms = reached.map((one) =>
    termsOf(one, one.uri === uri ? 'requested' : tools.includes(one) ? 'tool' : 'composed'),
  );
  const denials = denialsOf(terms, { profile, scopes: heldScopes(profile, roles), source, channel });
  const gates: Gate[] = denials.map(({ gate, skill, entry, reason }) => {
    const one = reached[skill] ?? skillPackage;
    const place: Partial<FileSpan> | undefined = entriesOf(one, gate)[entry];
    return { gate, uri: place?.uri ?? one.uri, span: place?.span ?? one.headSpan, reason };
  });
  if (!deprecated) return gates;
  const instead = deprecated.successor === undefined ? '' : `; use \`${deprecated.successor}\``;
  return [...gates, { gate: 'deprecation', uri, span: deprecated.span, reason: `the skill is deprecated${instead}` }];
}

/** Returns a skill and the skills in its closure, one for each file: a skill with an adapter is composed twice. */
const gatedSkillsOf = (root: SkillPackage): readonly SkillPackage[] => [
  ...new Map([...closureOf(root)].map((one) => [one.uri, one])).values(),
];

/** Returns the other skills that these skills call as tools, each once. An optional tool may be absent. */
function toolsOf(skills: readonly SkillPackage[]): readonly SkillPackage[] {
  const found = new Map<string, SkillPackage>();
  for (const { optional, skill } of skills.flatMap(({ tools }) => tools)) {
    if (skill && !optional && !skills.some(({ uri }) => uri === skill.uri)) found.set(skill.uri, skill);
  }
  return [...found.values()];
}

const termsOf = (skill: SkillPackage, use: UseTerms['use']): UseTerms => ({
  skill: skill.name?.name ?? '',
  use,
  allowedRoles: skill.allowedRoles.map(({ name }) => name),
  requiredScopes: skill.requiredScopes.map(({ name }) => name),
  allowedContexts: skill.allowedContexts.map(({ name }) => name),
  capabilitiesRequired: skill.capabilitiesRequired,
  permission: skill.permission,
});

/** Returns the entries that a gate of a skill checks. */
function entriesOf(skill: SkillPackage, gate: Denial['gate']): readonly Partial<FileSpan>[] {
  switch (gate) {
    case 'role':
      return skill.allowedRoles;
    case 'scope':
      return skill.requiredScopes;
    case 'context':
      return skill.allowedContexts;
    case 'capability':
      return skill.capabilitiesRequired;
    default:
      return skill.permission ? [skill.permission] : [];
  }
}
