/** Finds the permissions of skills in the catalogs of a workspace (docs/format.md, section 6, "Permissions"). */
import { isDisabled, permissionOf, type UseTerms, useTermsOf } from '../permissions/may-use.ts';
import type { Named } from '../skill/contract.ts';
import { readFallback } from '../skill/fallbacks.ts';
import type { Permission } from '../skill/package.ts';
import type { Catalog } from '../workspace/catalog.ts';
import { resolveSummary } from '../workspace/resolve-skill.ts';
import { type IndexedSkill, isOfAccount } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';

/**
 * Returns the catalog that contains the permissions for the file `uri`. If no catalog governs a skill in the user's
 * account, this is the outermost catalog of the workspace.
 */
export function findGoverningCatalog(analysis: Analysis, uri: string): Catalog | undefined {
  const governing = analysis.findCatalog(uri);
  if (governing || !isOfAccount(analysis.graph, uri)) return governing;
  const [outermost = ''] = [...analysis.index.catalogs.keys()].sort();
  return analysis.index.catalogs.get(outermost);
}

/** Returns the permission of a skill; undefined if no catalog defines a permission for the skill. */
export function findPermission(analysis: Analysis, { uri, summary }: IndexedSkill): Permission | undefined {
  const catalog = findGoverningCatalog(analysis, uri);
  return catalog && permissionOf(catalog, summary.name);
}

/** Returns whether the catalog disables a skill for all callers. */
export function isDisabledHere(analysis: Analysis, skill: IndexedSkill): boolean {
  const permission = findPermission(analysis, skill);
  return permission !== undefined && isDisabled(permission);
}

/** Returns the terms of use of a skill and of all skills that a run of it may reach, for `denialsOf`. */
export function termsOfUse(analysis: Analysis, skill: IndexedSkill): readonly UseTerms[] {
  const composed = reachedBy(analysis, skill);
  const tools = [skill, ...composed].flatMap((one) => toolSkills(analysis, one).map((tool) => tool.skill));
  const uses = new Map<IndexedSkill, UseTerms['use']>([
    ...tools.map((one) => [one, 'tool'] as const),
    ...composed.map((one) => [one, 'composed'] as const),
    [skill, 'requested'],
  ]);
  return [...uses].map(([one, use]) => useTermsOf(one.summary, findPermission(analysis, one), use));
}

/**
 * Returns the skills that a skill calls as tools, each with its entry in `tools`. An optional tool may be absent, so it closes
 * nothing (docs/format.md, section 4, "Gates"). Never throws.
 */
export function toolSkills(
  analysis: Analysis,
  { uri, summary }: IndexedSkill,
): readonly { readonly skill: IndexedSkill; readonly named: Named }[] {
  const { graph } = analysis;
  if (!summary.tools.some((name) => graph.tools.has(name))) return [];
  const catalog = analysis.findCatalog(uri);
  return (analysis.file(uri)?.contract.tools ?? []).flatMap(({ name, span, optional }) => {
    const found = optional || catalog?.tools.has(name) ? undefined : findToolSkill(analysis, name, uri);
    return found ? [{ skill: found, named: { name, span } }] : [];
  });
}

/** Returns the skill that is called as the tool `name` in the file `from`. */
export const findToolSkill = (analysis: Analysis, name: string, from: string): IndexedSkill | undefined =>
  analysis.graph.tools.has(name) ? analysis.skillsNamed(name, from).find(({ summary }) => summary.isTool) : undefined;

/**
 * Returns the skills that a run of a skill may reach, each once: its closure, with the adapters and the fallbacks
 * (docs/format.md, section 4, "Gates"). Never throws.
 */
export function reachedBy(analysis: Analysis, skill: IndexedSkill): readonly IndexedSkill[] {
  const { graph } = analysis;
  const found = new Set([skill]);
  // A loop over a set also visits elements that are added during the loop.
  for (const one of found) {
    for (const composed of one === skill ? graph.closureOf(one) : graph.composedSkillsOf(one).map((use) => use.skill))
      found.add(composed);
    for (const { adapter } of graph.composedSkillsOf(one)) if (adapter) found.add(adapter);
    for (const fallback of fallbackSkills(analysis, one)) found.add(fallback.skill);
  }
  found.delete(skill);
  return [...found];
}

/**
 * Returns the skills that run instead of a skill that fails, each with its name in the file (docs/format.md, section 6,
 * "Fallbacks"). Never throws.
 */
export function fallbackSkills(
  analysis: Analysis,
  skill: IndexedSkill,
): readonly { readonly skill: IndexedSkill; readonly named: Named }[] {
  if (skill.summary.errors.every(({ fallback }) => fallback === undefined)) return [];
  const file = analysis.file(skill.uri);
  const find = (name: string) => resolveSummary(analysis.graph, skill, name);
  return (file?.contract.errors ?? []).flatMap(({ fallback: node }) => {
    const fallback = file && node && readFallback(file, node, (name) => find(name) !== undefined);
    const found = fallback?.kind === 'skill' ? find(fallback.name) : undefined;
    const isFound = fallback?.kind === 'skill' && found !== undefined && !found.summary.broken;
    return isFound && node ? [{ skill: found, named: { name: fallback.name, span: node.span } }] : [];
  });
}
