import { validRange } from 'semver';
import type { Fix } from '../finding.ts';
import type { Named } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { allows, byVersion } from '../workspace/resolve-skill.ts';

import { listed, placeIn, settledSkill } from './common/composition-places.ts';
import { refusalOf, setRange, versionOf, widened } from './common/ranges.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/** A range that no version of the skill satisfies; reported at the range. */
export const versionMismatch: Rule = {
  name: 'version-mismatch',
  code: 'E006',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Versions"' },
  dialects: SKILLS,
  *check(file, analysis) {
    if (!settledSkill(analysis, file)) return;
    for (const { name, version } of file.contract.requires) {
      // What is no range is an invalid value, and one that is over long was written to be slow.
      if (!version || version.name.length > 256 || validRange(version.name) === null) continue;
      const all = analysis.skillsNamed(name);
      const there = all
        .flatMap((skill) => {
          const own = versionOf(skill.summary.version);
          return own === undefined || skill.summary.broken ? [] : [{ skill, own }];
        })
        .sort((a, b) => byVersion(a.skill, b.skill));
      const [highest] = there;
      // A version that cannot be read might be the right one; it is reported in its own file.
      if (!highest || there.length < all.length || there.some(({ own }) => allows(version.name, own))) continue;
      const isOne = there.length === 1;
      const told = isOne
        ? `the version of this workspace, ${highest.own}, ${refusalOf(version.name, highest.own)}`
        : `none of the versions of this workspace (${listed(there.map(({ own }) => own))}) is in \`${version.name}\``;
      yield {
        span: version.span,
        message: `\`${name}\` is required, but ${told}. Pin or widen the range, or bring the version that it asks for.`,
        related: there
          .slice(0, 30)
          .flatMap(({ skill, own }) =>
            placeIn(analysis, skill, (contract) => contract.version, `${own} ${refusalOf(version.name, own)}`),
          ),
        fixes: fixesOf(file, version, highest.own),
      };
    }
  },
};

function fixesOf(file: SkillFile, range: Named, version: string): readonly Fix[] {
  const wide = widened(range.name, version);
  return [
    fixHere(file, `Pin to \`${version}\``, setRange(file, range, version)),
    fixHere(file, `Widen to \`${wide}\``, setRange(file, range, wide)),
  ].filter(({ edits }) => edits.every(({ edits: here }) => here.length > 0));
}
