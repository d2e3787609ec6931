import { groupBy } from './common/group-by.ts';
import { declareIn } from './common/name-fixes.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A scope that a declared tool needs and that the skill does not require: once a scope, at the first such tool. */
export const missingScope: Rule = {
  name: 'missing-scope',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { tools } = analysis.settledCatalogOf(file.uri);
    const required = new Set(file.contract.requiredScopes.map(({ name }) => name));
    const needs = file.contract.tools.flatMap((tool) =>
      (tools.get(tool.name)?.scopes ?? []).map((scope) => ({ scope, ...tool })),
    );
    for (const [scope, [first, ...others]] of groupBy(needs, (need) => need.scope)) {
      if (required.has(scope)) continue;
      yield {
        span: first.span,
        message: `\`${first.name}\` needs the scope \`${scope}\`, which \`required_scopes\` does not list, so a caller may lack it. Add it.`,
        related: others.map(({ name, span }) => ({ uri: file.uri, span, message: `\`${name}\` needs it too` })),
        fixes: declareIn(file, 'required_scopes', scope, `Add \`${scope}\` to \`required_scopes\``),
      };
    }
  },
};
