/**
 * Whether a skill may be used: in this workspace at all, by whom and where (docs/format.md, section 6, "Permissions").
 * Whoever lists, ranks or composes skills asks here, so that all give the same answer.
 */

import { findEntry, findValue, isNull, mapEntries, type YamlNode } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import { type Capability, namesOf } from '../skill/contract.ts';
import type { CallerProfile, InvocationSource, Permission } from '../skill/package.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { SkillSummary } from '../skill/summary.ts';
import type { Span } from '../text.ts';

/** What decides it, without places. */
export interface UseTerms {
  readonly allowedRoles: readonly string[];
  readonly requiredScopes: readonly string[];
  /** Empty: anywhere. */
  readonly allowedContexts: readonly string[];
  readonly capabilitiesRequired: readonly Capability[];
  /** Those of the skill and of all that it composes, the skill's own first. */
  readonly permissions: readonly SkillPermission[];
}

export interface SkillPermission {
  readonly skill: string;
  readonly isPart: boolean;
  readonly permission: Permission;
}

/** One use of a skill. */
export interface Use {
  /** Undefined where nothing is known of the caller, who then holds everything. */
  readonly profile: CallerProfile | undefined;
  /** What `heldScopes` gives. */
  readonly scopes: readonly string[] | 'all';
  readonly source: InvocationSource;
  /** Undefined means workspace scope. */
  readonly channel: string | undefined;
}

/** Why a skill may not be used. */
export interface Denial {
  /** `disabled` and `permission` check `permissions`: it may be used nowhere, or not in this channel or context. */
  readonly gate: 'disabled' | 'permission' | 'role' | 'scope' | 'context' | 'capability';
  /** Which entry it is of the list of `UseTerms` that the gate checks; 0 for a list of which none fits. */
  readonly entry: number;
  /** Goes on from "it may not be used, because": no capital, no full stop. */
  readonly reason: string;
}

/** Everything that stands against the use; empty where the skill may be used. */
export const denialsOf = (terms: UseTerms, use: Use): readonly Denial[] => [
  ...terms.permissions.flatMap((one, entry) => deniedByPermission(one, entry, use)),
  ...deniedByRole(terms, use),
  ...terms.requiredScopes.flatMap((scope, entry) => deniedByScope(scope, entry, use)),
  ...deniedByContext(terms, use),
  ...terms.capabilitiesRequired.flatMap((required, entry) => deniedByCapability(required, entry, use)),
];

/** Whether a permission lets no use through, whoever asks from wherever. */
export const isDisabled = ({ enabled, contexts }: Permission): boolean => !enabled || contexts?.length === 0;

/** The scopes of a profile and of its role; all where neither says. */
export function heldScopes(
  profile: CallerProfile | undefined,
  roles: Readonly<Record<string, readonly string[]>> | undefined,
): readonly string[] | 'all' {
  const { role, scopes } = profile ?? {};
  const ofRole = role !== undefined && roles && Object.hasOwn(roles, role) ? roles[role] : undefined;
  return scopes || ofRole ? [...new Set([...(scopes ?? []), ...(ofRole ?? [])])] : 'all';
}

type Context = 'channel' | 'workspace' | 'scheduled';

/** A schedule decides by itself, else the channel does. */
const contextOf = ({ source, channel }: Use): Context =>
  source === 'scheduled' ? 'scheduled' : channel === undefined ? 'workspace' : 'channel';

/** `autonomous` and `scheduled` both stand for what a schedule runs. */
export const allowsContext = (allowed: readonly string[], context: string): boolean =>
  allowed.includes(context) || (isScheduled(context) && allowed.some(isScheduled));

const isScheduled = (context: string): boolean => context === 'scheduled' || context === 'autonomous';

function deniedByPermission({ skill, isPart, permission }: SkillPermission, entry: number, use: Use): Denial[] {
  const who = `${isPart ? 'its part ' : ''}\`${skill}\``;
  if (isDisabled(permission)) return [{ gate: 'disabled', entry, reason: `${who} is disabled in this workspace` }];
  const { channels, contexts } = permission;
  const { channel } = use;
  const denied = (allowed: string, instead: string): Denial[] => [
    { gate: 'permission', entry, reason: `${who} may be used in ${allowed}, and ${instead}` },
  ];
  if (channels && channel !== undefined && !channels.includes(channel)) {
    if (channels.length === 0) return denied('no channel of this workspace', `this invocation is in \`${channel}\``);
    const allowed = `the ${channels.length === 1 ? 'channel' : 'channels'} ${inWords(channels, 'and')} only`;
    return denied(allowed, `this invocation is in \`${channel}\``);
  }
  const context = contextOf(use);
  if (!contexts || allowsContext(contexts, context)) return [];
  return denied(`the context ${inWords(contexts, 'or')} only`, `this invocation's context is \`${context}\``);
}

function deniedByRole({ allowedRoles }: UseTerms, { profile }: Use): Denial[] {
  if (!profile || allowedRoles.length === 0) return [];
  const { name, role } = profile;
  if (role !== undefined && allowedRoles.includes(role)) return [];
  const who = role === undefined ? `\`${name}\` has no role` : `\`${name}\` has the role \`${role}\``;
  const reason = `${who}, and the skill takes callers with the role ${inWords(allowedRoles, 'or')} only`;
  return [{ gate: 'role', entry: 0, reason }];
}

function deniedByContext({ allowedContexts }: UseTerms, use: Use): Denial[] {
  const context = contextOf(use);
  if (allowedContexts.length === 0 || allowsContext(allowedContexts, context)) return [];
  const reason = `this invocation's context is \`${context}\`, and the skill may be invoked in the context ${inWords(allowedContexts, 'or')} only`;
  return [{ gate: 'context', entry: 0, reason }];
}

function deniedByScope(scope: string, entry: number, { profile, scopes }: Use): Denial[] {
  if (scopes === 'all' || scopes.includes(scope)) return [];
  return [{ gate: 'scope', entry, reason: `\`${profile?.name}\` lacks the scope \`${scope}\`` }];
}

function deniedByCapability(required: Capability, entry: number, { profile }: Use): Denial[] {
  if (!profile || hasCapability(profile, required)) return [];
  const { kind, value } = required;
  const what = kind === 'tier' ? 'tier' : 'feature flag';
  const reason = `the skill needs the ${what} \`${value}\`, which \`${profile.name}\` does not have (CAPABILITY_DENIED)`;
  return [{ gate: 'capability', entry, reason }];
}

/** `any` meets all tiers, and every tier meets `any`; a profile has what the catalog gives it, and nothing else. */
function hasCapability({ tier, featureFlags }: CallerProfile, { kind, value }: Capability): boolean {
  if (kind === 'feature_flag') return featureFlags?.includes(value) === true;
  return value === 'any' || tier === 'any' || tier === value;
}

// Which skills a workspace lets people and planners use, as its catalogs say (docs/format.md, section 6,
// "Permissions").

/** What a catalog says of skills by their names, and of all others. */
export interface Permissions {
  /** An entry goes before the default as a whole. */
  readonly permissions: ReadonlyMap<string, Permission>;
  readonly permissionsDefault: Permission | undefined;
}

export function readPermissions({ uri, frontmatter }: SkillFile): Permissions {
  const { root } = frontmatter.tree;
  const fallback = findEntry(root, 'permissions_default');
  return {
    permissions: new Map(
      mapEntries(findValue(root, 'permissions')).map(({ key, value }) => [
        String(key.value),
        readPermission(uri, key.span, value),
      ]),
    ),
    permissionsDefault: fallback && readPermission(uri, fallback.key.span, fallback.value),
  };
}

function readPermission(uri: string, span: Span, node: YamlNode): Permission {
  const list = (key: string): readonly string[] | undefined => {
    const value = findValue(node, key);
    const isGiven = value?.kind === 'list' || (value?.kind === 'scalar' && value.value !== null);
    return isGiven ? namesOf(value).map(({ name }) => name) : undefined;
  };
  const enabled = node.kind === 'scalar' ? node : findValue(node, 'enabled');
  return { uri, span, enabled: !enabled || saysYes(enabled), channels: list('channels'), contexts: list('contexts') };
}

/** What somebody wrote to keep a skill out does so, misspelt too. */
export const saysYes = (node: YamlNode): boolean =>
  isNull(node) || (node.kind === 'scalar' && /^(?:true|yes|on)$/i.test(String(node.value)));

/** What a catalog says of a skill; undefined where it says nothing. */
export const permissionOf = (
  { permissions, permissionsDefault }: Permissions,
  name: string | undefined,
): Permission | undefined => (name === undefined ? undefined : permissions.get(name)) ?? permissionsDefault;

// What decides whether a skill may be used, from summaries and catalogs alone (docs/format.md, section 6,
// "Permissions").

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
