import { listedUpTo, nameOf, placeOfEntry, resolvedSkill } from '../../analysis/composed-skills.ts';
import { fixesOfDiamond } from '../../analysis/removals.ts';
import { diamondsOf } from '../../workspace/shared-skills.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/**
 * Reports a skill that two entries compose. The finding is in the composite where the paths meet, at the entry where
 * the second path begins.
 */
export const diamondDependency: Rule = {
  name: 'diamond-dependency',
  number: 'E016',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Diamonds"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const root = resolvedSkill(analysis, file);
    if (!root || root.summary.composes.length < 2) return;
    for (const diamond of diamondsOf(analysis.graph, root)) {
      const { shared, entry, composers } = diamond;
      const named = file.contract.composes[entry];
      if (!named) continue;
      const name = nameOf(shared);
      const names = composers.map((composer) => (composer === root ? 'this skill' : `\`${nameOf(composer)}\``));
      const times = composers.length === 2 ? 'twice' : `${composers.length} times`;
      yield {
        span: named.span,
        message: `Diamond dependency: \`${name}\` is composed by ${composers.length === 2 ? 'both ' : ''}${listedUpTo(names)}, so each run of this skill runs it ${times}. Compose it once in this skill, cache its result, or suppress this finding if it is intended.`,
        related: composers
          .slice(0, 30)
          .flatMap((composer) =>
            placeOfEntry(analysis, composer, shared, `\`${nameOf(composer)}\` composes \`${name}\``),
          ),
        fixes: fixesOfDiamond(analysis, file, root, diamond),
      };
    }
  },
};
