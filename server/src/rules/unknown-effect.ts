import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { findValue, listItems } from '../languages/yaml/node.ts';
import { didYouMean, inWords, nearestNames } from '../nearest.ts';
import { type Named, namesOf } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { KNOWN_EFFECTS } from '../vocabulary/known-names.ts';
import { groupBy } from './common/mentions.ts';
import { addToCatalog, replaceName } from './common/name-fixes.ts';
import { removeFromList } from './common/removals.ts';
import { placesHere, type Rule } from './rule.ts';

/**
 * Reports, once for each name, an effect that a skill or a tool declares but neither the format nor the catalog
 * defines.
 */
export const unknownEffect: Rule = {
  name: 'unknown-effect',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file, analysis) {
    const { effects, isBroken } = analysis.catalogOf(file.uri);
    // A catalog that does not parse may declare the effect.
    if (isBroken) return;
    const used = file.dialect === 'catalog' ? effectsOfTools(file) : file.contract.effects;
    for (const [name, [first, ...others]] of groupBy(used, (effect) => effect.name)) {
      if (!effects.has(name)) yield draftOf(analysis, file, first, others);
    }
  },
};

function draftOf(analysis: Analysis, file: SkillFile, first: Named, others: readonly Named[]): Draft {
  const { name } = first;
  const catalog = analysis.catalogOf(file.uri);
  const near = nearestNames(name, catalog.effects.keys());
  const places = [first, ...others].map(({ span }) => span);
  const advice =
    didYouMean(near) ||
    ` Use ${inWords([...KNOWN_EFFECTS.keys()], 'or')}, or add your own effect to \`effects\` in the catalog.`;
  return {
    span: first.span,
    message: `Unknown effect \`${name}\`.${advice}`,
    related: placesHere(file, others, `\`${name}\` is also used here`),
    fixes: [
      ...replaceName(file, places, near),
      ...addToCatalog(analysis, catalog, 'effects', name, `Add \`${name}\` to the catalog's \`effects\``),
      ...removeFromList(file, 'effects', first.span, `Remove \`${name}\` from \`effects\``),
    ],
  };
}

const effectsOfTools = ({ frontmatter }: SkillFile): readonly Named[] =>
  listItems(findValue(frontmatter.tree.root, 'tools')).flatMap((tool) => namesOf(findValue(tool, 'effects')));
