/** Creates the preview of an installation. */
import type { Analysis } from '../analysis/analysis.ts';
import { findPermission } from '../analysis/permissions.ts';
import { findValue, stringOf } from '../languages/yaml/node.ts';
import { isDisabled } from '../permissions/may-use.ts';
import type { InstallSkill, InstallView } from '../protocol/packing.ts';
import { changesBetween, isLowerVersion } from '../skill/breaking-changes.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { showFields, showInvisibleInLines } from '../text.ts';
import { byVersion } from '../workspace/resolve-skill.ts';
import { type IndexedSkill, isOfAccount } from '../workspace/workspace-index.ts';
import { sortedOnce } from './capabilities.ts';
import { capabilityChanges, mayWrite, toolFacts } from './difference.ts';
import type { LockedSkill } from './lock.ts';
import type { Survey } from './survey.ts';
import type { Unit } from './unit.ts';

export interface SkillToShow {
  readonly name: string;
  readonly unit: Unit;
  readonly survey: Survey;
  readonly before: LockedSkill | undefined;
  /** The current skill file on disk. */
  readonly old: SkillFile | undefined;
  readonly state: InstallSkill['state'];
  /** The new origin. Undefined for a skill that is not installed again. */
  readonly origin: string | undefined;
}

const IDENTITY = ['title', 'author', 'owner', 'license', 'source'] as const;

/**
 * Returns the preview of a skill. `analysis` is the workspace after the installation. `shownPath` returns the path that
 * is displayed for a URI.
 */
export function installSkill(
  analysis: Analysis,
  { name, unit, survey, before, old, state, origin }: SkillToShow,
  shownPath: (uri: string) => string,
): InstallSkill {
  const { uri, path } = unit;
  const file = analysis.file(uri) as SkillFile;
  const skill = analysis.graph.skills.get(uri) as IndexedSkill;
  const { capabilities } = survey;
  const tools = toolsWithFacts(analysis, file, capabilities.tools);
  const { scopes: known } = analysis.parsedCatalogOf(uri);
  const { root } = file.frontmatter.tree;
  const digests = new Map(unit.files.map((one) => [one.path, one.digest]));
  return {
    name,
    version: skill.summary.version ?? null,
    oldVersion: before?.version ?? null,
    state,
    path,
    description: file.contract.description?.name ?? null,
    identity: IDENTITY.flatMap((key) => {
      const text = stringOf(findValue(root, key));
      return text === undefined ? [] : [{ key, text }];
    }),
    writes: mayWrite(analysis, uri, capabilities),
    operation: capabilities.operation ?? null,
    effects: capabilities.effects,
    tools: tools.map(({ name: tool, operation, isKnown }) => ({
      name: tool,
      operation: operation ?? null,
      isKnown: isKnown ?? null,
    })),
    scopes: sortedOnce([...capabilities.scopes, ...tools.flatMap((tool) => tool.scopes)]).map((scope) => ({
      name: scope,
      isKnown: known ? known.has(scope) : null,
    })),
    parts: [
      ...capabilities.parts.map((part) => ({ name: part, from: 'installed' as const })),
      ...capabilities.others.map((part) => ({
        name: part,
        from: analysis.skillsNamed(part).length > 0 ? ('workspace' as const) : ('missing' as const),
      })),
    ],
    interrupts: capabilities.interrupts,
    executables: capabilities.executables,
    runs: capabilities.runs,
    automatic: survey.automatic,
    reaches: capabilities.reaches,
    programs: capabilities.programs,
    modules: capabilities.modules,
    unanalysed: capabilities.unanalysed,
    addresses: capabilities.addresses,
    findings: survey.findings,
    notScanned: survey.leftOut,
    others: othersOf(analysis, skill).map((other) => ({
      path: shownPath(other.uri),
      relation: relationOf(analysis, skill, other),
    })),
    permission: permissionOf(analysis, skill),
    changes: before
      ? [
          ...capabilityChanges(
            analysis,
            uri,
            { capabilities: before.capabilities, digests: before.files },
            { capabilities, digests },
          ),
          ...provenanceChanges(before, origin, skill.summary.version),
        ]
      : [],
    contract:
      old && file.dialect !== 'agent-skill'
        ? changesBetween(old.contract, file.contract).map(({ bump, message }) => ({ bump, message }))
        : [],
  };
}

/** Returns one change if the source differs, and one change if the version decreases. */
function provenanceChanges(before: LockedSkill, origin: string | undefined, version: string | undefined) {
  const went = origin !== undefined && version !== undefined && isLowerVersion(before.version, version);
  return [
    ...(origin === undefined || origin === before.origin ? [] : [`new source (before: \`${before.origin}\`)`]),
    ...(went ? [`the version decreases from ${before.version} to ${version}`] : []),
  ].map((text) => ({ kind: 'other' as const, text }));
}

/** Returns each tool with its facts. A tool in `allowed-tools` of a `SKILL.md` is a client's tool. */
function toolsWithFacts(analysis: Analysis, { uri, contract, dialect }: SkillFile, names: readonly string[]) {
  return names.map((name) => {
    const isOfClient = dialect === 'agent-skill' && !contract.tools.some((one) => one.name === name);
    return { name, ...toolFacts(analysis, uri, name, isOfClient) };
  });
}

function othersOf({ graph }: Analysis, { uri, summary: { name } }: IndexedSkill): readonly IndexedSkill[] {
  if (name === undefined) return [];
  return [...(graph.byName.get(name) ?? [])]
    .sort()
    .flatMap((other) => (other === uri ? [] : (graph.skills.get(other) ?? [])));
}

function relationOf({ graph }: Analysis, own: IndexedSkill, other: IndexedSkill): 'hidden' | 'hiding' | 'beside' {
  if (isOfAccount(graph, other.uri)) return 'hidden';
  const order = byVersion(own, other);
  return order === 0 ? 'beside' : order < 0 ? 'hidden' : 'hiding';
}

function permissionOf(analysis: Analysis, skill: IndexedSkill): string | null {
  const permission = findPermission(analysis, skill);
  if (!permission) return null;
  if (isDisabled(permission)) return 'disabled in this workspace';
  const { channels, contexts } = permission;
  const limits = [
    ...(channels ? [`in the channels ${channels.join(', ') || 'none'}`] : []),
    ...(contexts ? [`in the contexts ${contexts.join(', ')}`] : []),
  ];
  return limits.length === 0 ? null : `only ${limits.join(' and ')}`;
}

/**
 * Returns the preview with visible control and bidirectional characters. Each field is on one line, except patches and
 * the text of a converted skill.
 */
export const shownView = ({ patches, conversion, ...fields }: InstallView): InstallView => ({
  ...showFields(fields),
  patches: patches.map(({ path, patch }) => ({ ...showFields({ path }), patch: patch && showInvisibleInLines(patch) })),
  conversion: conversion && { ...showFields(conversion), text: showInvisibleInLines(conversion.text) },
});
