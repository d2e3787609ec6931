import { byName, referencesTo } from './common/mentions.ts';
import { declareIn } from './common/name-fixes.ts';
import { placesHere, type Rule, SKILLS } from './rule.ts';

/** Reports an interrupt that the body names and the catalog or composer knows, but the contract does not declare. */
export const undeclaredInterrupt: Rule = {
  name: 'undeclared-interrupt',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { interrupts } = analysis.catalogOf(file.uri);
    const declared = new Set(file.contract.interrupts.map(({ name }) => name));
    for (const [name, [first, ...others]] of byName(referencesTo(file, 'interrupt'))) {
      if (declared.has(name) || !interrupts.has(name)) continue;
      yield {
        span: first.span,
        message: `\`${name}\` is not declared in \`interrupts\`, so it never fires. Declare it.`,
        related: placesHere(file, others, `\`${name}\` is also used here`),
        fixes: declareIn(file, 'interrupts', name, `Declare \`${name}\` in \`interrupts\``),
      };
    }
  },
};
