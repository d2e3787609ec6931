import { nearestNames } from '../nearest.ts';

import { toolMentionsByName } from './common/mentions.ts';
import { declareIn } from './common/naming-fixes.ts';
import { removeReference } from './common/removal.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** Each is held against each name of the body. */
const MAX_MISSPELT = 100;

/** A tool that exists and that the body uses, but that the surface does not hold. */
export const undeclaredTool: Rule = {
  name: 'undeclared-tool',
  code: 'undeclared-tool',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const catalog = analysis.catalogOf(file.uri);
    const declared = new Set(file.contract.tools.map(({ name }) => name));
    const unknown = catalog.toolsKnown ? [...declared].filter((name) => !analysis.isKnownTool(catalog, name)) : [];
    const misspelt = unknown.slice(0, MAX_MISSPELT);
    for (const [name, [first, ...others]] of toolMentionsByName(file)) {
      if (declared.has(name)) continue;
      // Without a catalog every name is taken as known, so a reference needs only to be declared.
      if (catalog.toolsKnown && !analysis.isKnownTool(catalog, name)) continue;
      // A declared name that is nearly this one was meant to declare it, and is reported by itself (`unknown-tool`).
      if (misspelt.some((wrong) => nearestNames(wrong, [name]).length > 0)) continue;
      yield {
        span: first.span,
        message: `\`${name}\` is used here but not declared in \`tools\`, so the composer never makes it available. Declare it.`,
        related: others.map(({ span }) => ({ uri: file.uri, span, message: `\`${name}\` is used here too` })),
        fixes: [
          ...declareIn(file, 'tools', name, `Declare \`${name}\` in \`tools\``),
          ...(first.isReference
            ? [
                fixHere(
                  file,
                  'Remove the reference',
                  [first, ...others].flatMap(({ span, isReference }) =>
                    isReference ? [removeReference(file, span)] : [],
                  ),
                ),
              ]
            : []),
        ],
      };
    }
  },
};
