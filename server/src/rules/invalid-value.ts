import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { formatScalar } from '../languages/yaml/edit.ts';
import { findValue } from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { type Named, namedOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';

import { draftOf, valueProblems } from './common/shape-drafts.ts';
import { fixHere, type Rule } from './rule.ts';

export const invalidValue: Rule = {
  name: 'invalid-value',
  code: 'invalid-value',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file, analysis, table) {
    for (const problem of valueProblems(file, undefined)) yield draftOf(file, problem);
    if (file.dialect === 'catalog') {
      yield* unknownRules(file, table);
      yield* unknownRoles(analysis, file, rolesOfProfiles(file));
    } else yield* unknownRoles(analysis, file, file.contract.allowedRoles);
  },
};

/** Each costs a look at all roles; whoever has more unknown ones has another problem than spelling. */
const MAX_SUGGESTIONS = 20;

function* unknownRoles(analysis: Analysis, file: SkillFile, named: readonly Named[]): Iterable<Draft> {
  const { roles } = analysis.settledCatalogOf(file.uri);
  // Without any role in a catalog, roles are not its matter.
  if (!roles) return;
  const unknown = named.filter(({ name }) => !roles.has(name));
  for (const [number, { name, span }] of unknown.entries()) {
    const near = number < MAX_SUGGESTIONS ? nearestNames(name, roles.keys()) : [];
    yield {
      span,
      message: `The catalog declares no role \`${name}\`, so nobody holds it.${didYouMean(near) || ' Declare it under `roles`, or name one that is there.'}`,
      fixes: near.map((right) =>
        fixHere(file, `Replace with \`${right}\``, [{ span, newText: formatScalar(right, true) }]),
      ),
    };
  }
}

function rolesOfProfiles({ frontmatter }: SkillFile): readonly Named[] {
  const profiles = findValue(frontmatter.tree.root, 'profiles');
  return profiles?.kind === 'list' ? profiles.items.flatMap((item) => namedOf(findValue(item, 'role')) ?? []) : [];
}

function* unknownRules(file: SkillFile, table: readonly Rule[]): Iterable<Draft> {
  const severities = findValue(file.frontmatter.tree.root, 'rules');
  for (const { key } of severities?.kind === 'map' ? severities.entries : []) {
    const name = String(key.value);
    if (table.some((rule) => rule.name === name || rule.code === name)) continue;
    const near = nearestNames(
      name,
      table.map((rule) => rule.name),
      1,
    );
    yield {
      span: key.span,
      message: `There is no rule \`${name}\`, so this line does nothing.${didYouMean(near) || ' Remove it.'}`,
      fixes: near.map((right) => fixHere(file, `Rename to \`${right}\``, [{ span: key.span, newText: right }])),
    };
  }
}
