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

/** An effect, of a skill or of a catalog's tool, that neither the format nor the catalog knows: once a name. */
export const unknownEffect: Rule = {
  name: 'unknown-effect',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, sections 2 and 6' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file, analysis) {
    const { effects, isBroken } = analysis.catalogOf(file.uri);
    // The effect may be declared where the catalog does not parse.
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
    ` The format knows ${inWords([...KNOWN_EFFECTS.keys()], 'and')}; effects of your own are declared in the catalog, under \`effects\`.`;
  return {
    span: first.span,
    message: `No effect is called \`${name}\`, so nobody can tell what it does to the world.${advice}`,
    related: placesHere(file, others, `\`${name}\` is named here too`),
    fixes: [
      ...replaceName(file, places, near),
      ...addToCatalog(analysis, catalog, 'effects', name, `Add \`${name}\` to the catalog's \`effects\``),
      ...removeFromList(file, 'effects', first.span, `Remove \`${name}\` from \`effects\``),
    ],
  };
}

const effectsOfTools = ({ frontmatter }: SkillFile): readonly Named[] =>
  listItems(findValue(frontmatter.tree.root, 'tools')).flatMap((tool) => namesOf(findValue(tool, 'effects')));
