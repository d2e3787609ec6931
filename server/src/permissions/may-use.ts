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

/** The conditions for the use of one skill, without spans. An empty list allows all. */
export interface UseTerms {
  readonly skill: string;
  /** `requested`, or the way in which a run of the requested skill may reach this skill. */
  readonly use: 'requested' | 'composed' | 'tool';
  readonly allowedRoles: readonly string[];
  readonly requiredScopes: readonly string[];
  readonly allowedContexts: readonly string[];
  readonly capabilitiesRequired: readonly Capability[];
  /** Undefined if the catalog has no permission for the skill. */
  readonly permission: Permission | undefined;
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
  /** The index of the skill in the list of terms. */
  readonly skill: number;
  /**
   * The index of the failing entry in the list that the gate checks; 0 for a permission, and if the entries are
   * alternatives and no entry matches.
   */
  readonly entry: number;
  /** A clause that continues "it may not be used, because": no capital letter, no period. */
  readonly reason: string;
}

/**
 * Returns all reasons against a use, each requirement once; empty if the skill may be used. `terms` are those of the
 * skill, followed by those of all skills that a run of it may reach (docs/format.md, section 4, "Gates").
 */
export function denialsOf(terms: readonly UseTerms[], use: SkillUse): readonly Denial[] {
  const denials: Denial[] = [];
  const told = new Set<string>();
  // Callers list composed skills in different orders.
  const ordered = [...terms.entries()].sort(
    ([, a], [, b]) => Number(isReached(a)) - Number(isReached(b)) || (a.skill < b.skill ? -1 : 1),
  );
  for (const check of CHECKS) {
    for (const [skill, own] of ordered) {
      for (const { need, ...denial } of check(own, use)) {
        const key = `${denial.gate} ${need}`;
        if (!told.has(key)) denials.push({ ...denial, skill });
        told.add(key);
      }
    }
  }
  return denials;
}

/** A requirement that a use does not meet. Equal requirements of several skills have the same `need`. */
interface Unmet extends Omit<Denial, 'skill'> {
  readonly need: string;
}

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

const isReached = ({ use }: UseTerms): boolean => use !== 'requested';

/** Returns the subject of a reason. */
const subjectOf = ({ skill, use }: UseTerms): string =>
  use === 'requested' ? 'the skill' : `the ${use === 'tool' ? 'tool' : 'composed skill'} \`${skill}\``;

function deniedByPermission(terms: UseTerms, use: SkillUse): readonly Unmet[] {
  const { skill, permission } = terms;
  if (!permission) return [];
  const who = isReached(terms) ? subjectOf(terms) : `\`${skill}\``;
  const about = { entry: 0, need: `${permission.uri} ${skill}` };
  if (isDisabled(permission)) return [{ ...about, gate: 'disabled', reason: `${who} is disabled in this workspace` }];
  const { channels, contexts } = permission;
  const { channel } = use;
  const denied = (limit: string, instead: string): readonly Unmet[] => [
    { ...about, gate: 'permission', reason: `${who} ${limit}, but ${instead}` },
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

function deniedByRole(terms: UseTerms, { profile }: SkillUse): readonly Unmet[] {
  const { allowedRoles } = terms;
  if (!profile || allowedRoles.length === 0) return [];
  const { name, role } = profile;
  if (role !== undefined && allowedRoles.includes(role)) return [];
  const who = role === undefined ? `\`${name}\` has no role` : `\`${name}\` has the role \`${role}\``;
  const reason = `${who}, but ${subjectOf(terms)} requires the role ${inWords(allowedRoles, 'or')}`;
  return [{ gate: 'role', entry: 0, need: needOf(allowedRoles), reason }];
}

function deniedByScope(terms: UseTerms, { profile, scopes }: SkillUse): readonly Unmet[] {
  const of = isReached(terms) ? `, which ${subjectOf(terms)} requires` : '';
  return terms.requiredScopes.flatMap((scope, entry): readonly Unmet[] => {
    if (scopes === 'all' || scopes.includes(scope)) return [];
    return [{ gate: 'scope', entry, need: scope, reason: `\`${profile?.name}\` lacks the scope \`${scope}\`${of}` }];
  });
}

function deniedByContext(terms: UseTerms, use: SkillUse): readonly Unmet[] {
  const { allowedContexts } = terms;
  const context = contextOf(use);
  if (allowedContexts.length === 0 || allowsContext(allowedContexts, context)) return [];
  const reason = `this invocation's context is \`${context}\`, but ${subjectOf(terms)} may be invoked only in the context ${inWords(allowedContexts, 'or')}`;
  return [
    {
      gate: 'context',
      entry: 0,
      need: needOf(allowedContexts.map((one) => (isScheduled(one) ? 'scheduled' : one))),
      reason,
    },
  ];
}

function deniedByCapability(terms: UseTerms, { profile }: SkillUse): readonly Unmet[] {
  return terms.capabilitiesRequired.flatMap((required, entry): readonly Unmet[] => {
    if (!profile || hasCapability(profile, required)) return [];
    const need = capabilityText(required);
    const reason = `${subjectOf(terms)} requires the ${need}, which \`${profile.name}\` does not have (CAPABILITY_DENIED)`;
    return [{ gate: 'capability', entry, need, reason }];
  });
}

const needOf = (alternatives: readonly string[]): string => JSON.stringify([...new Set(alternatives)].sort());

/** Returns a capability in words, such as: tier `adult`. */
export const capabilityText = ({ kind, value }: Capability): string =>
  `${kind === 'tier' ? 'tier' : 'feature flag'} \`${value}\``;

const CHECKS = [deniedByPermission, deniedByRole, deniedByScope, deniedByContext, deniedByCapability];

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

/** Returns the terms of use of one skill. */
export function useTermsOf(
  { name = '', allowedRoles, requiredScopes, allowedContexts, capabilitiesRequired }: SkillSummary,
  permission: Permission | undefined,
  use: UseTerms['use'],
): UseTerms {
  return { skill: name, use, allowedRoles, requiredScopes, allowedContexts, capabilitiesRequired, permission };
}
