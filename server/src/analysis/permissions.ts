/** What the catalogs of a workspace say of the use of its skills (docs/format.md, section 6, "Permissions"). */
import { isDisabled, permissionOf, type UseTerms, useTermsOf } from '../permissions/may-use.ts';
import type { Permission } from '../skill/package.ts';
import type { Catalog } from '../workspace/catalog.ts';
import { type IndexedSkill, isOfAccount } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';

/**
 * The catalog that says whether a skill may be used. For one of the account that no catalog governs it is the outermost
 * one of the workspace.
 */
export function findGoverningCatalog(analysis: Analysis, uri: string): Catalog | undefined {
  const governing = analysis.findCatalog(uri);
  if (governing || !isOfAccount(analysis.graph, uri)) return governing;
  const [outermost = ''] = [...analysis.index.catalogs.keys()].sort();
  return analysis.index.catalogs.get(outermost);
}

/** What the catalogs say of a skill. */
export function findPermission(analysis: Analysis, { uri, summary }: IndexedSkill): Permission | undefined {
  const catalog = findGoverningCatalog(analysis, uri);
  return catalog && permissionOf(catalog, summary.name);
}

/** Whether its catalog keeps a skill out of the workspace, whoever asks. */
export function isDisabledHere(analysis: Analysis, skill: IndexedSkill): boolean {
  const permission = findPermission(analysis, skill);
  return permission !== undefined && isDisabled(permission);
}

/** What decides whether a skill may be used, for `denialsOf`. */
export const termsOfUse = (analysis: Analysis, skill: IndexedSkill): UseTerms =>
  useTermsOf(skill, analysis.graph.closureOf(skill), (one) => findPermission(analysis, one));
