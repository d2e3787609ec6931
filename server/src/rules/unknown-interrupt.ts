import { byName, referencesTo } from './common/mentions.ts';
import { unknownNames } from './common/unknown-names.ts';
import { type Rule, SKILLS } from './rule.ts';

/** An interrupt that neither the composer nor the catalog knows. */
export const unknownInterrupt: Rule = {
  name: 'unknown-interrupt',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const { isBroken, interrupts } = analysis.catalogOf(file.uri);
    // The interrupt may be declared where the catalog does not parse.
    if (isBroken) return;
    yield* unknownNames(analysis, file, {
      key: 'interrupts',
      mentions: byName(referencesTo(file, 'interrupt')),
      isKnown: (name) => interrupts.has(name),
      known: () => [...interrupts.keys()],
      message: (name, suggestion) =>
        `No interrupt is called \`${name}\`: no graph node would fire it.${suggestion} Interrupts of your own are declared in the catalog, under \`interrupts\`.`,
      catalogItem: (name) => `{name: ${name}, node: call_tools}`,
    });
  },
};
