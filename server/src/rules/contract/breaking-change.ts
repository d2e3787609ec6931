import { demandOfRelease } from '../../analysis/version-ranges.ts';
import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/**
 * A contract that has changed more than its version allows. Reports nothing if the released text of the file is
 * unknown.
 */
export const breakingChange: Rule = {
  name: 'breaking-change',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Breaking changes"' },
  dialects: SKILLS,
  about: 'release',
  *check(file, analysis) {
    const { version } = file.contract;
    const demand = demandOfRelease(analysis, file);
    if (!version || demand?.least === undefined) return;
    const { changes, bump, least, hasDecreased } = demand;
    const old = analysis.released(file.uri)?.contract.version?.name;
    if (hasDecreased) {
      yield {
        span: version.span,
        message: `The version went down from \`${old}\` to \`${version.name}\`. Set it to \`${least}\` or higher.`,
        fixes: bumpTo(file, least),
      };
      return;
    }
    const largest = changes.filter((change) => change.bump === bump);
    const shown = largest.slice(0, 3).map(({ message }) => message);
    const more = largest.length > 3 ? `; and ${largest.length - 3} more` : '';
    const why = bump === 'major' ? 'This breaks callers' : 'This changes the contract';
    yield {
      span: version.span,
      message: `Since \`${old}\`, ${shown.join('; ')}${more}. ${why}, so the version must be at least \`${least}\`.`,
      related: largest.slice(0, 30).map(({ span, message }) => ({ uri: file.uri, span, message })),
      fixes: bumpTo(file, least),
    };
  },
};

function bumpTo(file: SkillFile, version: string): readonly Fix[] {
  const node = findSkillEntry(file.frontmatter.tree.root, 'version')?.value;
  if (node?.kind !== 'scalar') return [];
  return fixHere(file, `Set the version to \`${version}\``, setScalar(file.text, node, version));
}
