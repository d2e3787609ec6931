/** Finds the permissions of skills in the catalogs of a workspace (docs/format.md, section 6, "Permissions"). */
import { isDisabled, permissionOf, type UseTerms, useTermsOf } from '../permissions/may-use.ts';
import type { Permission } from '../skill/package.ts';
import type { Catalog } from '../workspace/catalog.ts';
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

/** Returns the terms of use of a skill, for `denialsOf`. */
export const termsOfUse = (analysis: Analysis, skill: IndexedSkill): UseTerms =>
  useTermsOf(skill, analysis.graph.closureOf(skill), (one) => findPermission(analysis, one));
