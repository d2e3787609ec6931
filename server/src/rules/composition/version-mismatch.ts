import { validRange } from 'semver';
import { listedUpTo, placeIn, resolvedSkill } from '../../analysis/composed-skills.ts';
import { refusalOf, setRange, type Version, versionsOf, widened } from '../../analysis/version-ranges.ts';
import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import type { Named } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { allows, servesRange } from '../../workspace/resolve-skill.ts';
import { hiddenNamed, isOfAccount } from '../../workspace/workspace-index.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a range that no version of the skill satisfies, at the range. */
export const versionMismatch: Rule = {
  name: 'version-mismatch',
  number: 'E006',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Versions"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    if (!resolvedSkill(analysis, file)) return;
    for (const { name, version } of file.contract.requires) {
      // `invalid-value` reports a string that is not a range. A very long range would be slow to read.
      if (!version || version.name.length > 256 || validRange(version.name) === null) continue;
      const there = versionsOf(analysis, name, file.uri);
      const [highest] = there;
      // A version that cannot be read may match. That version is reported in the file that declares it.
      if (!highest || there.length < analysis.skillsNamed(name, file.uri).length) continue;
      if (there.some((one) => allows(version.name, one.version) || isAdapted(one, version.name))) continue;
      const isOne = there.length === 1;
      const problem = isOne
        ? `Version ${highest.version} of \`${name}\` ${refusalOf(version.name, highest.version)}`
        : `No version of \`${name}\` (${listedUpTo(there.map((one) => one.version))}) is in \`${version.name}\``;
      const hidden = hiddenNamed(analysis.graph, name, file.uri).find(({ summary }) =>
        allows(version.name, summary.version),
      );
      const scope = hidden && isOfAccount(analysis.graph, hidden.uri) ? 'the account' : 'another workspace folder';
      const where = hidden && `${hidden.summary.version} of ${scope} matches, but is hidden`;
      yield {
        span: version.span,
        message: hidden
          ? `${problem}; ${where}. Change the range, or add a matching version to this workspace folder.`
          : `${problem}. Change the range, or add a matching version.`,
        related: [
          ...there
            .slice(0, 30)
            .flatMap(({ skill, version: own }) =>
              placeIn(analysis, skill, (contract) => contract.version, `${own} ${refusalOf(version.name, own)}`),
            ),
          ...(hidden ? placeIn(analysis, hidden, (contract) => contract.version, `${where}`) : []),
        ],
        fixes: fixesOf(file, version, highest.version),
      };
    }
  },
};

const isAdapted = ({ skill }: Version, range: string): boolean =>
  skill.summary.adapts.some(({ from }) => servesRange(from, range));

function fixesOf(file: SkillFile, range: Named, version: string): readonly Fix[] {
  const wide = widened(range.name, version);
  return [
    ...fixHere(file, `Pin to \`${version}\``, setRange(file, range, version)),
    ...fixHere(file, `Widen to \`${wide}\``, setRange(file, range, wide)),
  ];
}
