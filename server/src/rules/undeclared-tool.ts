import { nearestNames } from '../nearest.ts';
import { catalogOf, isKnownTool } from '../workspace/workspace-index.ts';
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
  evidence: { kind: 'spec', source: 'skill-format.md, section 5' },
  dialects: SKILLS,
  *check(index, document) {
    const catalog = catalogOf(index, document.uri);
    const declared = new Set(document.contract.tools.map(({ name }) => name));
    const unknown = catalog.toolsKnown ? [...declared].filter((name) => !isKnownTool(index, catalog, name)) : [];
    const misspelt = unknown.slice(0, MAX_MISSPELT);
    for (const [name, [first, ...others]] of toolMentionsByName(document)) {
      if (declared.has(name)) continue;
      // Without a catalog every name is taken as known, so a reference needs only to be declared.
      if (catalog.toolsKnown && !isKnownTool(index, catalog, name)) continue;
      // A declared name that is nearly this one was meant to declare it, and is reported by itself (`unknown-tool`).
      if (misspelt.some((wrong) => nearestNames(wrong, [name]).length > 0)) continue;
      yield {
        span: first.span,
        message: `\`${name}\` is used here but not declared in \`tools\`, so the composer never makes it available. Declare it.`,
        related: others.map(({ span }) => ({ uri: document.uri, span, message: `\`${name}\` is used here too` })),
        fixes: [
          ...declareIn(document, 'tools', name, `Declare \`${name}\` in \`tools\``),
          ...(first.isReference
            ? [
                fixHere(
                  document,
                  'Remove the reference',
                  [first, ...others].flatMap(({ span, isReference }) =>
                    isReference ? [removeReference(document, span)] : [],
                  ),
                ),
              ]
            : []),
        ],
      };
    }
  },
};
