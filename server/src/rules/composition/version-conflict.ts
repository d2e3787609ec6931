import type { Analysis } from '../../analysis/analysis.ts';
import { nameOf, placeIn, resolvedSkill } from '../../analysis/composed-skills.ts';
import { requirementsOf as entriesFor, setRange, versionsOf, widened } from '../../analysis/version-ranges.ts';
import type { Fix, RelatedLocation } from '../../finding.ts';
import { fixIn } from '../../finding.ts';
import { allows } from '../../workspace/resolve-skill.ts';
import {
  type RangeConflict,
  type Requirement,
  rangeConflictsOf,
  requirementsOf,
} from '../../workspace/shared-skills.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/**
 * Reports two ranges in one closure that no version satisfies, at the entry of `composes` that adds the second range.
 */
export const versionConflict: Rule = {
  name: 'version-conflict',
  number: 'E017',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Versions"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const root = resolvedSkill(analysis, file);
    if (!root) return;
    for (const conflict of rangeConflictsOf(analysis.graph, root)) {
      const { skill, first, second } = conflict;
      const own = file.contract.requires.filter(
        ({ name, version }) => name === skill && version?.name === second.range,
      );
      const place = second.entry === undefined ? own.at(-1)?.version : file.contract.composes[second.entry];
      if (!place) continue;
      yield {
        span: place.span,
        message: `No version of \`${skill}\` satisfies both ${inWords(first, root)} and ${inWords(second, root)}. Change one of the ranges so that they have a version in common.`,
        related: [first, second].flatMap((one) => placeOfRange(analysis, one, skill)),
        fixes: fixesOf(analysis, root, conflict),
      };
    }
  },
};

const inWords = ({ by, range }: Requirement, root: IndexedSkill): string =>
  `\`${range}\` (required ${by === root ? 'here' : `by \`${nameOf(by)}\``})`;

const placeOfRange = (analysis: Analysis, { by, range }: Requirement, skill: string): RelatedLocation[] =>
  placeIn(
    analysis,
    by,
    ({ requires }) => requires.find(({ name, version }) => name === skill && version?.name === range)?.version,
    `\`${nameOf(by)}\` requires \`${skill}\` in \`${range}\``,
  );

/** Returns the fixes. Fixes that widen a range come first, because they keep the versions that are allowed now. */
function fixesOf(analysis: Analysis, root: IndexedSkill, conflict: RangeConflict): readonly Fix[] {
  const both = [conflict.second, conflict.first];
  return [
    ...both.flatMap((one) => change(analysis, root, conflict, one, 'Widen')),
    ...both.flatMap((one) => change(analysis, root, conflict, one, 'Pin')),
  ];
}

/**
 * Returns the fix that widens a range to include an existing version, or pins the range to that version. All other
 * ranges in the closure must allow the existing version.
 */
function change(
  analysis: Analysis,
  root: IndexedSkill,
  { skill }: RangeConflict,
  one: Requirement,
  how: 'Widen' | 'Pin',
): readonly Fix[] {
  const { by, range } = one;
  const isOne = (other: Requirement) => other.by.uri === by.uri && other.range === range;
  const others = [...requirementsOf(analysis.graph, root)].filter(([name, other]) => name === skill && !isOne(other));
  const version = versionsOf(analysis, skill, root.uri).find(
    (candidate) =>
      !candidate.skill.summary.deprecated && others.every(([, other]) => allows(other.range, candidate.version)),
  )?.version;
  const file = analysis.file(by.uri);
  const entry = file && entriesFor(file, skill).find((candidate) => candidate.version.name === range);
  if (version === undefined || !file || !entry) return [];
  const changed = how === 'Widen' ? widened(range, version) : version;
  const edits = setRange(file, entry.version, changed);
  const where = by === root ? '' : ` in \`${nameOf(by)}\``;
  return fixIn(`${how} \`${range}\`${where} to \`${changed}\``, [{ uri: by.uri, edits }]);
}
