import { declareIn } from '../../analysis/name-fixes.ts';
import { removeMentions } from '../../analysis/removals.ts';
import { unusedProseSpans } from '../../composer/find-framing.ts';
import { placesHere } from '../../finding.ts';
import { nearestNames } from '../../nearest.ts';
import { toolMentionsByName } from '../../skill/mentions.ts';
import { contains } from '../../text.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** The largest number of unknown tools that are compared with each name in the body. */
const MAX_MISSPELT = 100;

/** Reports a known tool that the body uses but the contract does not declare. */
export const undeclaredTool: Rule = {
  name: 'undeclared-tool',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: SKILLS,
  *check(file, analysis) {
    const catalog = analysis.catalogOf(file.uri);
    // Without a catalog, every name counts as the name of a tool.
    const isKnown = (name: string) => !catalog.toolsKnown || analysis.isKnownTool(catalog, name);
    const declared = new Set(file.contract.tools.map(({ name }) => name));
    const misspelt = [...declared].filter((name) => !isKnown(name)).slice(0, MAX_MISSPELT);
    const unused = unusedProseSpans(file);
    for (const [name, all] of toolMentionsByName(file)) {
      if (declared.has(name) || !isKnown(name)) continue;
      // `unused-prose` reports text that no prompt contains.
      const mentions = all.filter(({ span }) => !unused.some((prose) => contains(prose, span)));
      const [first, ...others] = mentions;
      if (!first) continue;
      // A declared name that is similar to `name` is a misspelling, which `unknown-tool` reports.
      if (misspelt.some((wrong) => nearestNames(wrong, [name]).length > 0)) continue;
      yield {
        span: first.span,
        message: `\`${name}\` is not declared in \`tools\`, so this text cannot be composed. Declare it.`,
        related: placesHere(file, others, `\`${name}\` is also used here`),
        fixes: [
          ...declareIn(file, 'tools', name, `Declare \`${name}\` in \`tools\``),
          ...removeMentions(file, mentions),
        ],
      };
    }
  },
};
