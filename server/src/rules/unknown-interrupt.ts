import { byName, referencesTo } from './common/mentions.ts';
import { unknownNames } from './common/unknown-names.ts';
import { type Rule, SKILLS } from './rule.ts';

/** Reports an interrupt that neither the composer nor the catalog defines. */
export const unknownInterrupt: Rule = {
  name: 'unknown-interrupt',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { isBroken, interrupts } = analysis.catalogOf(file.uri);
    // A catalog that does not parse may declare the interrupt.
    if (isBroken) return;
    yield* unknownNames(analysis, file, {
      key: 'interrupts',
      mentions: byName(referencesTo(file, 'interrupt')),
      isKnown: (name) => interrupts.has(name),
      known: () => [...interrupts.keys()],
      message: (name, suggestion) =>
        `Unknown interrupt \`${name}\`.${suggestion || ' Add your own interrupts to `interrupts` in the catalog.'}`,
      catalogItem: (name) => `{name: ${name}, node: call_tools}`,
    });
  },
};
