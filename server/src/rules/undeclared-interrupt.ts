import { byName, referencesTo } from './common/mentions.ts';
import { declareIn } from './common/name-fixes.ts';
import { placesHere, type Rule, SKILLS } from './rule.ts';

/** An interrupt that exists and that the body names, but that the contract does not declare. */
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
        message: `\`${name}\` is named here but not declared in \`interrupts\`, so it never fires. Declare it.`,
        related: placesHere(file, others, `\`${name}\` is named here too`),
        fixes: declareIn(file, 'interrupts', name, `Declare \`${name}\` in \`interrupts\``),
      };
    }
  },
};
