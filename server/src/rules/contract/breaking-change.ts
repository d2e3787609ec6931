import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import {
  bumpFor,
  changesBetween,
  isAtLeastVersion,
  isLowerVersion,
  versionAfter,
} from '../../skill/breaking-changes.ts';
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
    const released = analysis.released(file.uri);
    const { version } = file.contract;
    const old = released?.contract.version?.name;
    if (!released || released.frontmatter.tree.broken || !version) return;
    const changes = changesBetween(released.contract, file.contract);
    const bump = bumpFor(changes);
    const demanded = bump && versionAfter(old, bump);
    if (isLowerVersion(old, version.name)) {
      const least = demanded ?? `${old}`;
      yield {
        span: version.span,
        message: `The version went down from \`${old}\` to \`${version.name}\`. Set it to \`${least}\` or higher.`,
        fixes: bumpTo(file, least),
      };
      return;
    }
    if (!demanded || bump === 'patch' || isAtLeastVersion(version.name, demanded) !== false) return;
    const largest = changes.filter((change) => change.bump === bump);
    const shown = largest.slice(0, 3).map(({ message }) => message);
    const more = largest.length > 3 ? `; and ${largest.length - 3} more` : '';
    const why = bump === 'major' ? 'This breaks callers' : 'This changes the contract';
    yield {
      span: version.span,
      message: `Since \`${old}\`, ${shown.join('; ')}${more}. ${why}, so the version must be at least \`${demanded}\`.`,
      related: largest.slice(0, 30).map(({ span, message }) => ({ uri: file.uri, span, message })),
      fixes: bumpTo(file, demanded),
    };
  },
};

function bumpTo(file: SkillFile, version: string): readonly Fix[] {
  const node = findSkillEntry(file.frontmatter.tree.root, 'version')?.value;
  if (node?.kind !== 'scalar') return [];
  return fixHere(file, `Set the version to \`${version}\``, setScalar(file.text, node, version));
}
