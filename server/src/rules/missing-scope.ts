import type { Named } from '../skill/contract.ts';

import { declareIn } from './common/naming-fixes.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A scope that a declared tool needs and that the skill does not require: once a scope, at the first such tool. */
export const missingScope: Rule = {
  name: 'missing-scope',
  code: 'missing-scope',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { tools } = analysis.settledCatalogOf(file.uri);
    const required = new Set(file.contract.requiredScopes.map(({ name }) => name));
    const lacking = new Map<string, Named[]>();
    for (const entry of file.contract.tools) {
      for (const scope of tools.get(entry.name)?.scopes ?? []) {
        if (!required.has(scope)) lacking.set(scope, [...(lacking.get(scope) ?? []), entry]);
      }
    }
    for (const [scope, [first, ...others]] of lacking) {
      if (!first) continue;
      yield {
        span: first.span,
        message: `\`${first.name}\` needs the scope \`${scope}\`, which \`required_scopes\` does not list, so a caller may lack it. Add it.`,
        related: others.map(({ name, span }) => ({ uri: file.uri, span, message: `\`${name}\` needs it too` })),
        fixes: declareIn(file, 'required_scopes', scope, `Add \`${scope}\` to \`required_scopes\``),
      };
    }
  },
};
