import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { findValue, listItems, mapEntries } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { type Named, namesOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { newScope } from '../vocabulary/common-shapes.ts';
import { addToCatalog, replaceName } from './common/name-fixes.ts';
import { removeFromList } from './common/removals.ts';
import type { Rule } from './rule.ts';

/** Reports a scope that is not in the catalog's `scopes`, if the catalog has that list. */
export const unknownScope: Rule = {
  name: 'unknown-scope',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file, analysis) {
    const { scopes } = analysis.parsedCatalogOf(file.uri);
    if (!scopes) return;
    const used = file.dialect === 'catalog' ? scopesOfCatalog(file) : file.contract.requiredScopes;
    // `invalid-value` reports a string that is not a scope.
    const unknown = used.filter(({ name }) => newScope.pattern.test(name) && !scopes.has(name));
    for (const scope of unknown) yield draftOf(analysis, file, scope, [...scopes.keys()]);
  },
};

function draftOf(analysis: Analysis, file: SkillFile, scope: Named, known: readonly string[]): Draft {
  const near = nearestNames(scope.name, known);
  const catalog = analysis.catalogOf(file.uri);
  return {
    span: scope.span,
    message: `Unknown scope \`${scope.name}\`.${didYouMean(near) || ' Add it to `scopes` in the catalog.'}`,
    fixes: [
      ...replaceName(file, [scope.span], near),
      ...addToCatalog(analysis, catalog, 'scopes', scope.name, `Add \`${scope.name}\` to the catalog's \`scopes\``),
      ...removeFromList(file, 'required_scopes', scope.span, `Remove \`${scope.name}\``),
    ],
  };
}

/** Returns the scopes that are named in the roles, tools and profiles of a catalog. */
function scopesOfCatalog({ frontmatter }: SkillFile): readonly Named[] {
  const { root } = frontmatter.tree;
  const items = (key: string) => listItems(findValue(root, key));
  return [
    ...items('tools').flatMap((tool) => namesOf(findValue(tool, 'scope') ?? findValue(tool, 'scopes'))),
    ...mapEntries(findValue(root, 'roles')).flatMap(({ value }) => namesOf(value)),
    ...items('profiles').flatMap((profile) => namesOf(findValue(profile, 'scopes'))),
  ];
}
