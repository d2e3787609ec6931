import { didYouMean, nearestNames } from '../nearest.ts';

import { byName, referencesTo } from './common/mentions.ts';
import { addToCatalog, replaceName } from './common/naming-fixes.ts';
import { removeFromList, removeReference } from './common/removal.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** An interrupt that neither the composer nor the catalog knows: once a name, where it is declared or first named. */
export const unknownInterrupt: Rule = {
  name: 'unknown-interrupt',
  code: 'unknown-interrupt',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const catalog = analysis.catalogOf(file.uri);
    // The interrupt may be declared where the catalog does not parse.
    if (catalog.isBroken) return;
    const { interrupts } = catalog;
    const mentions = byName(referencesTo(file, 'interrupt'));
    const declared = new Map(file.contract.interrupts.map((entry) => [entry.name, entry]));
    for (const name of new Set([...declared.keys(), ...mentions.keys()])) {
      if (interrupts.has(name)) continue;
      const entry = declared.get(name);
      const references = mentions.get(name) ?? [];
      const place = entry ?? references[0];
      if (!place) continue;
      const near = nearestNames(name, interrupts.keys());
      const names = [...(entry ? [entry.span] : []), ...references.map(({ nameSpan }) => nameSpan)];
      yield {
        span: place.span,
        message: `No interrupt is called \`${name}\`: no graph node would fire it.${didYouMean(near)} Interrupts of your own are declared in the catalog, under \`interrupts\`.`,
        related: references
          .filter((reference) => reference !== place)
          .map(({ span }) => ({ uri: file.uri, span, message: `\`${name}\` is named here too` })),
        fixes: [
          ...replaceName(file, names, near),
          ...addToCatalog(
            analysis,
            catalog,
            'interrupts',
            `{name: ${name}, node: call_tools}`,
            `Add \`${name}\` to the catalog`,
          ),
          ...(entry
            ? removeFromList(file, 'interrupts', entry.span, `Remove \`${name}\` from \`interrupts\``)
            : [
                fixHere(
                  file,
                  'Remove the reference',
                  references.map(({ span }) => removeReference(file, span)),
                ),
              ]),
        ],
      };
    }
  },
};
