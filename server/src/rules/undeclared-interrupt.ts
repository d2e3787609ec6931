import { catalogOf } from '../workspace/workspace-index.ts';
import { byName, referencesTo } from './common/mentions.ts';
import { declareIn } from './common/naming-fixes.ts';
import { type Rule, SKILLS } from './rule.ts';

/** An interrupt that exists and that the body names, but that the contract does not declare. */
export const undeclaredInterrupt: Rule = {
  name: 'undeclared-interrupt',
  code: 'undeclared-interrupt',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'skill-format.md, section 5' },
  dialects: SKILLS,
  *check(index, document) {
    const { interrupts } = catalogOf(index, document.uri);
    const declared = new Set(document.contract.interrupts.map(({ name }) => name));
    for (const [name, [first, ...others]] of byName(referencesTo(document, 'interrupt'))) {
      if (declared.has(name) || !interrupts.has(name)) continue;
      yield {
        span: first.span,
        message: `\`${name}\` is named here but not declared in \`interrupts\`, so it never fires. Declare it.`,
        related: others.map(({ span }) => ({ uri: document.uri, span, message: `\`${name}\` is named here too` })),
        fixes: declareIn(document, 'interrupts', name, `Declare \`${name}\` in \`interrupts\``),
      };
    }
  },
};
