import type { Draft } from '../finding.ts';
import { findValue, type YamlNode } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { type Named, namesOf } from '../skill/contract.ts';
import type { SkillDocument } from '../skill/document.ts';
import { catalogOf, settledCatalogOf, type WorkspaceIndex } from '../workspace/workspace-index.ts';
import { addToCatalog, replaceName } from './common/naming-fixes.ts';
import { removeFromList } from './common/removal.ts';
import type { Rule } from './rule.ts';

/** A scope that the catalog's `scopes` do not list. A catalog without that list says nothing about scopes. */
export const unknownScope: Rule = {
  name: 'unknown-scope',
  code: 'unknown-scope',
  severity: 'error',
  evidence: { kind: 'spec', source: 'skill-format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  readsHeadOnly: true,
  *check(index, document) {
    const { scopes } = settledCatalogOf(index, document.uri);
    if (!scopes) return;
    const used = document.dialect === 'catalog' ? scopesOfCatalog(document) : document.contract.requiredScopes;
    for (const scope of used) if (!scopes.has(scope.name)) yield draftOf(index, document, scope, [...scopes.keys()]);
  },
};

function draftOf(index: WorkspaceIndex, document: SkillDocument, scope: Named, known: readonly string[]): Draft {
  const near = nearestNames(scope.name, known);
  const catalog = catalogOf(index, document.uri);
  return {
    span: scope.span,
    message: `No scope is called \`${scope.name}\`: the catalog's \`scopes\` do not list it, so no role can hold it.${didYouMean(near)}`,
    fixes: [
      ...replaceName(document, [scope.span], near),
      ...addToCatalog(index, catalog, 'scopes', scope.name, `Add \`${scope.name}\` to the catalog's \`scopes\``),
      ...removeFromList(document, 'required_scopes', scope.span, `Remove \`${scope.name}\``),
    ],
  };
}

/** The scopes that roles, tools and profiles of a catalog name. */
function scopesOfCatalog({ frontmatter }: SkillDocument): readonly Named[] {
  const { root } = frontmatter.tree;
  const items = (key: string): readonly YamlNode[] => {
    const value = findValue(root, key);
    return value?.kind === 'list' ? value.items : [];
  };
  const roles = findValue(root, 'roles');
  return [
    ...items('tools').flatMap((tool) => namesOf(findValue(tool, 'scope') ?? findValue(tool, 'scopes'))),
    ...(roles?.kind === 'map' ? roles.entries.flatMap(({ value }) => namesOf(value)) : []),
    ...items('profiles').flatMap((profile) => namesOf(findValue(profile, 'scopes'))),
  ];
}
