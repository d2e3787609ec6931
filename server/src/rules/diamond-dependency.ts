import { diamondsOf } from '../workspace/shared-parts.ts';
import { listedUpTo, nameOf, placeOfEntry, settledSkill } from './common/composed-skills.ts';
import { fixesOfDiamond } from './common/diamond-fixes.ts';
import { type Rule, SKILLS } from './rule.ts';

/** A skill that two entries bring; reported where the paths meet, once, at the entry that brings the second. */
export const diamondDependency: Rule = {
  name: 'diamond-dependency',
  number: 'E016',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Diamonds"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const root = settledSkill(analysis, file);
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
        message: `Diamond dependency: \`${name}\` is composed by ${composers.length === 2 ? 'both ' : ''}${listedUpTo(names)}, so it runs ${times} each time that this skill runs. Compose it once, in this skill; cache it, if running it again changes nothing; or leave it so, if it is meant to run ${times}.`,
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
