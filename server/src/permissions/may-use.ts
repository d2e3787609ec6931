/**
 * Decides whether a caller may use a skill in a workspace (docs/format.md, section 6, "Permissions"). All code that
 * lists, ranks or composes skills calls these functions.
 */

import { findEntry, findValue, isNull, mapEntries, type YamlNode } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import { type Capability, namesOf } from '../skill/contract.ts';
import type { CallerProfile, InvocationSource, Permission } from '../skill/package.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { SkillSummary } from '../skill/summary.ts';
import type { Span } from '../text.ts';

/** The conditions for the use of a skill, without spans. */
export interface UseTerms {
  readonly allowedRoles: readonly string[];
  readonly requiredScopes: readonly string[];
  /** The allowed contexts; an empty list allows all. */
  readonly allowedContexts: readonly string[];
  readonly capabilitiesRequired: readonly Capability[];
  /** The permissions of the skill and of all skills in its closure, the skill's own first. */
  readonly permissions: readonly SkillPermission[];
}

export interface SkillPermission {
  readonly skill: string;
  readonly isComposed: boolean;
  readonly permission: Permission;
}

/** One use of a skill. */
export interface SkillUse {
  /** The caller. Undefined for an unknown caller, which passes all checks of roles, scopes and capabilities. */
  readonly profile: CallerProfile | undefined;
  /** The result of `heldScopes`. */
  readonly scopes: readonly string[] | 'all';
  readonly source: InvocationSource;
  /** Undefined means workspace scope. */
  readonly channel: string | undefined;
}

/** A reason why a skill may not be used. */
export interface Denial {
  /**
   * The kind of check that failed. `disabled` and `permission` are checks of `permissions`: the skill is disabled, or
   * the skill is not allowed in this channel or context.
   */
  readonly gate: 'disabled' | 'permission' | 'role' | 'scope' | 'context' | 'capability';
  /**
   * The index of the failing entry in the `UseTerms` list that the gate checks; 0 if the entries are alternatives and
   * no entry matches.
   */
  readonly entry: number;
  /** A clause that continues "it may not be used, because": no capital letter, no period. */
  readonly reason: string;
}

/** Returns all reasons against a use (docs/format.md, section 6, "Permissions"); empty if the skill may be used. */
export const denialsOf = (terms: UseTerms, use: SkillUse): readonly Denial[] => [
  ...terms.permissions.flatMap((one, entry) => deniedByPermission(one, entry, use)),
  ...deniedByRole(terms, use),
  ...terms.requiredScopes.flatMap((scope, entry) => deniedByScope(scope, entry, use)),
  ...deniedByContext(terms, use),
  ...terms.capabilitiesRequired.flatMap((required, entry) => deniedByCapability(required, entry, use)),
];

/** Returns whether a permission denies all uses, for every caller and context. */
export const isDisabled = ({ enabled, contexts }: Permission): boolean => !enabled || contexts?.length === 0;

/**
 * Returns the scopes of a profile and of its role; `all` if neither declares scopes. `roles` contains the scopes by
 * role.
 */
export function heldScopes(
  profile: CallerProfile | undefined,
  roles: Readonly<Record<string, readonly string[]>> | undefined,
): readonly string[] | 'all' {
  const { role, scopes } = profile ?? {};
  const ofRole = role !== undefined && roles && Object.hasOwn(roles, role) ? roles[role] : undefined;
  return scopes || ofRole ? [...new Set([...(scopes ?? []), ...(ofRole ?? [])])] : 'all';
}

type Context = 'channel' | 'workspace' | 'scheduled';

/** Returns the context of a use: `scheduled` for a scheduled run, otherwise `channel` or `workspace`. */
const contextOf = ({ source, channel }: SkillUse): Context =>
  source === 'scheduled' ? 'scheduled' : channel === undefined ? 'workspace' : 'channel';

/** Returns whether a list of contexts allows a context. `autonomous` and `scheduled` are synonyms. */
export const allowsContext = (allowed: readonly string[], context: string): boolean =>
  allowed.includes(context) || (isScheduled(context) && allowed.some(isScheduled));

const isScheduled = (context: string): boolean => context === 'scheduled' || context === 'autonomous';

function deniedByPermission(
  { skill, isComposed, permission }: SkillPermission,
  entry: number,
  use: SkillUse,
): Denial[] {
  const who = `${isComposed ? 'the composed skill ' : ''}\`${skill}\``;
  if (isDisabled(permission)) return [{ gate: 'disabled', entry, reason: `${who} is disabled in this workspace` }];
  const { channels, contexts } = permission;
  const { channel } = use;
  const denied = (terms: string, instead: string): Denial[] => [
    { gate: 'permission', entry, reason: `${who} ${terms}, but ${instead}` },
  ];
  if (channels && channel !== undefined && !channels.includes(channel)) {
    const instead = `this invocation is in the channel \`${channel}\``;
    if (channels.length === 0) return denied('may not be used in any channel of this workspace', instead);
    const allowed = `the ${channels.length === 1 ? 'channel' : 'channels'} ${inWords(channels, 'and')}`;
    return denied(`may be used only in ${allowed}`, instead);
  }
  const context = contextOf(use);
  if (!contexts || allowsContext(contexts, context)) return [];
  return denied(
    `may be used only in the context ${inWords(contexts, 'or')}`,
    `this invocation's context is \`${context}\``,
  );
}

function deniedByRole({ allowedRoles }: UseTerms, { profile }: SkillUse): Denial[] {
  if (!profile || allowedRoles.length === 0) return [];
  const { name, role } = profile;
  if (role !== undefined && allowedRoles.includes(role)) return [];
  const who = role === undefined ? `\`${name}\` has no role` : `\`${name}\` has the role \`${role}\``;
  const reason = `${who}, but the skill requires the role ${inWords(allowedRoles, 'or')}`;
  return [{ gate: 'role', entry: 0, reason }];
}

function deniedByContext({ allowedContexts }: UseTerms, use: SkillUse): Denial[] {
  const context = contextOf(use);
  if (allowedContexts.length === 0 || allowsContext(allowedContexts, context)) return [];
  const reason = `this invocation's context is \`${context}\`, but the skill may be invoked only in the context ${inWords(allowedContexts, 'or')}`;
  return [{ gate: 'context', entry: 0, reason }];
}

function deniedByScope(scope: string, entry: number, { profile, scopes }: SkillUse): Denial[] {
  if (scopes === 'all' || scopes.includes(scope)) return [];
  return [{ gate: 'scope', entry, reason: `\`${profile?.name}\` lacks the scope \`${scope}\`` }];
}

function deniedByCapability(required: Capability, entry: number, { profile }: SkillUse): Denial[] {
  if (!profile || hasCapability(profile, required)) return [];
  const { kind, value } = required;
  const what = kind === 'tier' ? 'tier' : 'feature flag';
  const reason = `the skill requires the ${what} \`${value}\`, which \`${profile.name}\` does not have (CAPABILITY_DENIED)`;
  return [{ gate: 'capability', entry, reason }];
}

/**
 * Returns whether a profile has a capability. `any` matches every tier. A profile has only the tier and feature flags
 * that the catalog declares.
 */
function hasCapability({ tier, featureFlags }: CallerProfile, { kind, value }: Capability): boolean {
  if (kind === 'feature_flag') return featureFlags?.includes(value) === true;
  return value === 'any' || tier === 'any' || tier === value;
}

// Reads the permissions in a catalog (docs/format.md, section 6, "Permissions").

/** The permissions in a catalog, by skill name, and the default for all other skills. */
export interface Permissions {
  /** An entry replaces the default completely. */
  readonly permissions: ReadonlyMap<string, Permission>;
  readonly permissionsDefault: Permission | undefined;
}

/** Reads the permissions in a catalog (docs/format.md, section 6, "Permissions"). Never throws. */
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
  return {
    uri,
    span,
    enabled: !enabled || isTruthyValue(enabled),
    channels: list('channels'),
    contexts: list('contexts'),
  };
}

/** Returns whether a value of `enabled` means true. Every other value, even a misspelt value, disables the skill. */
export const isTruthyValue = (node: YamlNode): boolean =>
  isNull(node) || (node.kind === 'scalar' && /^(?:true|yes|on)$/i.test(String(node.value)));

/** Returns the permission for a skill, otherwise the default permission; undefined if the catalog has neither. */
export const permissionOf = (
  { permissions, permissionsDefault }: Permissions,
  name: string | undefined,
): Permission | undefined => (name === undefined ? undefined : permissions.get(name)) ?? permissionsDefault;

// Determines the terms for using a skill from summaries and catalogs (docs/format.md, section 6, "Permissions").

/**
 * Returns the terms of use of a skill. `closure` contains all composed skills, because a skill may be used only
 * if all skills in its closure may be used. `find` returns the permission for a skill in its catalog.
 */
export function useTermsOf<Skill extends { readonly summary: SkillSummary }>(
  skill: Skill,
  closure: readonly Skill[],
  find: (skill: Skill) => Permission | undefined,
): UseTerms {
  const permissions = [skill, ...closure].flatMap((one): readonly SkillPermission[] => {
    const permission = find(one);
    return permission ? [{ skill: one.summary.name ?? '', isComposed: one !== skill, permission }] : [];
  });
  const { allowedRoles, requiredScopes, allowedContexts, capabilitiesRequired } = skill.summary;
  return { allowedRoles, requiredScopes, allowedContexts, capabilitiesRequired, permissions };
}
